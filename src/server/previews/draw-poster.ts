import { AppError } from '../../shared/domain/failure.ts'
import { runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { InputProgramOutcome } from '../programs/run-on-input.ts'
import type { OpenFile } from '../storage/port.ts'
import { conversionLimits } from './conversion.ts'
import type { ImageSource } from './converter.ts'
import type { PosterKind } from './poster-kind.ts'
import { posterLimits, type PosterPrograms } from './poster-programs.ts'
import { withDescriptor, withScratchFolder } from './program-input.ts'
import { readRawPreview } from './raw-preview.ts'
import { drawVideoFrame } from './video-frame.ts'

/**
 * Draws a picture of a file. The picture is converted like an uploaded image afterwards. Throws `undecodable`,
 * `too-large`, `timeout` or `aborted`, and `unsupported` without the program.
 */
export type PosterDrawer = (kind: PosterKind, file: OpenFile, signal: AbortSignal) => Promise<ImageSource>

export type PosterDependencies = {
  readonly programs: PosterPrograms
  /** Limits the number of posters that programs draw at the same time, for all users together. */
  readonly limiter: KeyedLimiter
  /** A folder for temporary files. It is created when it is needed. */
  readonly folder: string
}

export function createPosterDrawer(dependencies: PosterDependencies): PosterDrawer {
  return async (kind, file, signal) => {
    if (kind === 'raw') return readRawPreview(file)
    return runLimited({ limiter: dependencies.limiter, key: 'programs', signal }, () =>
      withDescriptor(file, dependencies.folder, (descriptor) =>
        drawWithProgram(dependencies, kind, { file, descriptor, signal }),
      ),
    )
  }
}

type DrawingInput = {
  readonly file: OpenFile
  readonly descriptor: number
  readonly signal: AbortSignal
}

async function drawWithProgram(
  dependencies: PosterDependencies,
  kind: Exclude<PosterKind, 'raw'>,
  { file, descriptor, signal }: DrawingInput,
): Promise<ImageSource> {
  const { ffmpeg, pdftoppm, heifConvert } = dependencies.programs.paths
  const timeLimit = AbortSignal.timeout(posterLimits.timeMs)
  const limitedSignal = AbortSignal.any([signal, timeLimit])
  const run = (words: readonly string[]): Promise<InputProgramOutcome> =>
    dependencies.programs.run({ words, input: descriptor, signal: limitedSignal })
  const draw = (): Promise<InputProgramOutcome> => {
    if (kind === 'video') return drawVideoFrame((args) => run([requireProgram(ffmpeg), ...args]))
    refuseLarge(file)
    return kind === 'pdf'
      ? run([requireProgram(pdftoppm), ...firstPage])
      : withHeifFolder(dependencies, (folder) => run(heifCommand(requireProgram(heifConvert), folder)))
  }
  const outcome = await draw()
  if (signal.aborted) throw new AppError('aborted')
  return pictureOf(outcome, timeLimit.aborted)
}

function requireProgram(program: string | null): string {
  if (program === null) throw new AppError('unsupported')
  return program
}

/** Refuses files that their programs read into memory as a whole. A video is read in parts. */
function refuseLarge({ entry }: OpenFile): void {
  if ((entry.target ?? entry).sizeBytes > conversionLimits.sourceBytes) throw new AppError('too-large')
}

/** Draws the first page of the PDF file on standard input, so that its longer side has 1080 pixels. */
const firstPage = '-f 1 -l 1 -singlefile -cropbox -scale-to 1080 -jpeg -jpegopt quality=90 -'.split(' ')

/**
 * Converts the HEIC image on standard input. The program reads and writes files only, so the image is copied into a
 * folder of its own. The number 1 is in the name of the first of several images.
 */
const heifCommand = (program: string, folder: string): readonly string[] => [
  '/bin/sh',
  '-c',
  'cd "$2" && cat >in.heic && "$1" -q 90 in.heic out.jpg >&2 && if [ -e out.jpg ]; then cat out.jpg; else cat out-1.jpg; fi',
  'sh',
  program,
  folder,
]

/** A sandbox has a `/tmp` of its own, which ends with it. Outside of a sandbox, a folder is created and removed. */
async function withHeifFolder<T>(
  { programs, folder }: PosterDependencies,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  return (await programs.isSandboxed()) ? work('/tmp') : withScratchFolder(folder, work)
}

/** Returns the picture that a program drew, or throws the reason why there is none. */
function pictureOf({ ending, output, isTooLong }: InputProgramOutcome, isLate: boolean): ImageSource {
  if (isTooLong) throw new AppError('too-large')
  if (isLate || ending.kind === 'time-limit') throw new AppError('timeout')
  if (ending.kind === 'not-started') throw new AppError('internal', { cause: ending.cause })
  if (ending.kind !== 'exited' || ending.status !== 0 || output.length === 0)
    throw new AppError('undecodable')
  return {
    sizeBytes: output.length,
    async *bytes() {
      yield output
    },
  }
}
