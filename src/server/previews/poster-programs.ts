import type { BubblewrapSearchResult } from '../programs/find-bubblewrap.ts'
import { findProgram } from '../programs/find-program.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import { runOnInput, type InputProgramOutcome, type InputProgramRequest } from '../programs/run-on-input.ts'
import { createProcessLimiter } from '../programs/process-limiter.ts'
import type { PosterKind } from './poster-kind.ts'

/** The absolute paths of the programs that draw posters. Null for a program that this machine does not have. */
export type PosterProgramPaths = {
  readonly ffmpeg: string | null
  readonly pdftoppm: string | null
  readonly heifConvert: string | null
}

/** The programs of this machine that draw posters, and the function that runs one of them within its limits. */
export type PosterPrograms = {
  readonly paths: PosterProgramPaths
  readonly run: (request: PosterProgramRequest) => Promise<InputProgramOutcome>
  /** Returns true when the programs run in a sandbox, which has a `/tmp` of its own. */
  readonly isSandboxed: () => Promise<boolean>
}

export type PosterProgramRequest = Omit<InputProgramRequest, 'timeMs' | 'maxOutputBytes'>

const mib = 1024 * 1024

export const posterLimits = {
  /** The time limit in milliseconds of one poster. It is shared by all programs that draw the poster. */
  timeMs: 10_000,
  /** The number of posters that are drawn by programs at the same time: as many as images are converted. */
  maxConcurrent: 2,
  /** The maximum size in bytes of a drawn picture. A JPEG of 1080 x 1080 pixels has at most about 3 MB. */
  outputBytes: 32 * mib,
  /**
   * The limits of each program. A frame of a video with 3840 x 2160 pixels needs up to 192 MiB, and one with 7680 x 4320
   * pixels up to four times the frame buffers (measured with ffmpeg 5.1 and HEVC). 64 processes are the limit of commands.
   */
  process: {
    cpuSeconds: 10,
    memoryBytes: 512 * mib,
    fileBytes: 64 * mib,
    processes: 64,
    openFiles: 256,
  },
} as const

const noPrograms: PosterProgramPaths = { ffmpeg: null, pdftoppm: null, heifConvert: null }

/**
 * Finds the programs that draw posters. Without `prlimit`, which bounds their memory and processor time, no program is
 * used; only Linux has it. `findSandbox` is called when the first program runs, because the search starts a process.
 */
export async function findPosterPrograms(
  start: ProcessStarter,
  findSandbox: () => Promise<BubblewrapSearchResult>,
): Promise<PosterPrograms> {
  const prlimit = await findProgram('prlimit')
  return {
    paths: prlimit === null ? noPrograms : await findPaths(),
    isSandboxed: async () => (await findSandbox()).isUsable,
    async run(request) {
      const sandbox = await findSandbox()
      const processes = sandbox.isUsable ? posterLimits.process.processes : null
      const withLimits = createProcessLimiter(prlimit, { ...posterLimits.process, processes })
      return runOnInput(
        { start, bubblewrap: sandbox, withLimits },
        { ...request, timeMs: posterLimits.timeMs, maxOutputBytes: posterLimits.outputBytes },
      )
    },
  }
}

async function findPaths(): Promise<PosterProgramPaths> {
  const [ffmpeg, pdftoppm, heifDec, heifConvert] = await Promise.all(
    ['ffmpeg', 'pdftoppm', 'heif-dec', 'heif-convert'].map(findProgram),
  )
  // Since libheif 1.18, the program is called heif-dec.
  return {
    ffmpeg: ffmpeg ?? null,
    pdftoppm: pdftoppm ?? null,
    heifConvert: heifDec ?? heifConvert ?? null,
  }
}

/** Returns the kinds of files of which these programs can draw posters. Camera RAW images need no program. */
export const drawableKinds = ({
  ffmpeg,
  pdftoppm,
  heifConvert,
}: PosterProgramPaths): ReadonlySet<PosterKind> =>
  new Set<PosterKind>([
    'raw',
    ...(ffmpeg === null ? [] : (['video'] as const)),
    ...(pdftoppm === null ? [] : (['pdf'] as const)),
    ...(heifConvert === null ? [] : (['heic'] as const)),
  ])
