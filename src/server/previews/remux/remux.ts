import type { MediaFacts } from '../../../shared/contract/file-response.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { splitName } from '../../../shared/domain/names.ts'
import { runLimited, type KeyedLimiter } from '../../concurrency/keyed-limiter.ts'
import type { InputProgramOutcome } from '../../programs/run-on-input.ts'
import type { OpenFile } from '../../storage/port.ts'
import type { PosterPrograms } from '../poster-programs.ts'
import { withDescriptor } from '../program-input.ts'
import { codecsOf, hasFragments, moveFragments } from './fragments.ts'
import {
  parseDescription,
  descriptionArgs,
  firstTimesIn,
  isLate,
  isRemuxable,
  partArgs,
  rangesFrom,
  type MediaDescription,
} from './remux-command.ts'

/** A request for a part of a media file in a container that browsers play. */
export type RemuxRequest = {
  /** The open file. It is closed in any case. */
  readonly file: OpenFile
  /** The time in seconds at which the part begins, as the client wrote it, or `codecs` for a description of the file. */
  readonly from: string
  /** The user or guest who asks. Each of them has one conversion at a time. */
  readonly principal: string
  readonly signal: AbortSignal
}

/** A part of a media file, or the description of the whole file. */
export type RemuxResult =
  | { readonly kind: 'description'; readonly description: MediaFacts }
  | (Pick<MediaPart, 'type' | 'durationS'> & { readonly kind: 'part'; readonly file: OpenFile })

/**
 * Returns a part of a media file as fragments of MP4, or a description of the file. Throws `unsupported` without ffmpeg, `undecodable` for a file
 * that cannot be presented in this way, `bad-range` after the end of the file, and `timeout`.
 */
export type Remuxer = (request: RemuxRequest) => Promise<RemuxResult>

export type RemuxDependencies = {
  readonly programs: PosterPrograms
  /** Limits the conversions of one user or guest. */
  readonly principalLimiter: KeyedLimiter
  /** Limits the conversions of the whole server. */
  readonly limiter: KeyedLimiter
  /** Limits the parts of one user or guest that are in memory because they have not been sent yet. */
  readonly principalParts: KeyedLimiter
  /** Limits these parts for the whole server. */
  readonly parts: KeyedLimiter
  /** A folder for temporary files. It is created when it is needed. */
  readonly folder: string
}

export function createRemuxer(dependencies: RemuxDependencies): Remuxer {
  return async (request) => {
    const { file, from, principal, signal } = request
    let release: (() => void) | null = null
    try {
      if (from === 'codecs')
        return { kind: 'description', description: await readFacts(dependencies, request) }
      const fromS = timeOf(from)
      release = await reservePart(dependencies, principal, signal)
      const { bytes, durationS, type } = await withProgram(dependencies, request, (descriptor) =>
        readPart(dependencies.programs, { descriptor, fromS, signal }),
      )
      return { kind: 'part', file: partFile(file, { bytes, fromS, release }), type, durationS }
    } catch (error) {
      release?.()
      throw error
    } finally {
      await file.close()
    }
  }
}

/** Runs a function with a descriptor of the file, as soon as the limits allow it. */
const withProgram = <T>(
  { principalLimiter, limiter, folder }: Pick<RemuxDependencies, 'principalLimiter' | 'limiter' | 'folder'>,
  { file, principal, signal }: Omit<RemuxRequest, 'from'>,
  work: (descriptor: number) => Promise<T>,
): Promise<T> =>
  runLimited({ limiter: principalLimiter, key: principal, signal }, () =>
    runLimited({ limiter, key: 'programs', signal }, () => withDescriptor(file, folder, work)),
  )

async function readFacts(dependencies: RemuxDependencies, request: RemuxRequest): Promise<MediaFacts> {
  const { signal } = request
  const { durationS, video, audio } = await withProgram(dependencies, request, (descriptor) =>
    describe(programRunner(dependencies.programs, { descriptor, signal })),
  )
  return { duration: durationS, video, audio }
}

/**
 * Reserves the memory for a part, which is kept until the part has been sent, however slowly its client reads. Returns the
 * function that gives the memory back.
 */
async function reservePart(
  { principalParts, parts }: Pick<RemuxDependencies, 'principalParts' | 'parts'>,
  principal: string,
  signal: AbortSignal,
): Promise<() => void> {
  const releaseOwn = await principalParts.acquire(principal, signal)
  try {
    const releaseShared = await parts.acquire('parts', signal)
    return () => {
      releaseShared()
      releaseOwn()
    }
  } catch (error) {
    releaseOwn()
    throw error
  }
}

/** Reads a time of at most 277 hours, with at most three decimals. */
function timeOf(text: string): number {
  if (/^\d{1,6}(\.\d{1,3})?$/.test(text)) return Number(text)
  throw new AppError('bad-request', {
    reason: 'remux must be codecs or a time in seconds, with at most three decimals',
  })
}

type PartInput = { readonly descriptor: number; readonly fromS: number; readonly signal: AbortSignal }

type MediaPart = Pick<MediaDescription, 'durationS'> & { readonly bytes: Buffer; readonly type: string }

type RunFfmpeg = (args: readonly string[]) => Promise<InputProgramOutcome>

/** Returns the function that runs ffmpeg with a file as its input. Throws `unsupported` without ffmpeg. */
function programRunner(
  { paths: { ffmpeg }, run }: PosterPrograms,
  { descriptor, signal }: Omit<PartInput, 'fromS'>,
): RunFfmpeg {
  if (ffmpeg === null) throw new AppError('unsupported')
  return async (args) => {
    const outcome = await run({ words: [ffmpeg, ...args], input: descriptor, signal })
    throwFailure(outcome, signal)
    return outcome
  }
}

async function describe(runFfmpeg: RunFfmpeg): Promise<MediaDescription> {
  const description = parseDescription(await runFfmpeg(descriptionArgs))
  if (description === null) throw new AppError('undecodable')
  return description
}

async function readPart(programs: PosterPrograms, { fromS, ...input }: PartInput): Promise<MediaPart> {
  const runFfmpeg = programRunner(programs, input)
  const description = await describe(runFfmpeg)
  if (!isRemuxable(description)) throw new AppError('undecodable')
  const { durationS } = description
  if (durationS > 0 && fromS >= durationS) throw new AppError('bad-range')
  const [range, longerRange] = rangesFrom(fromS)
  const part = await runFfmpeg(partArgs(description, range))
  const isUsed = hasFragments(part.output) && !isLate(firstTimesIn(part.errors), range)
  const { output, errors } = isUsed ? part : await runFfmpeg(partArgs(description, longerRange))
  const codecs = hasFragments(output) ? codecsOf(output) : null
  if (codecs === null) throw new AppError('undecodable')
  moveFragments(output, firstTimesIn(errors))
  const kind = description.video === null ? 'audio' : 'video'
  return { bytes: output, durationS, type: `${kind}/mp4; codecs="${codecs.join(', ')}"` }
}

/** Throws unless the program ran to its end. Its exit status is not checked; the caller checks its output instead. */
function throwFailure({ ending, isTooLong }: InputProgramOutcome, signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('aborted')
  if (isTooLong) throw new AppError('too-large')
  if (ending.kind === 'time-limit') throw new AppError('timeout')
  if (ending.kind === 'not-started') throw new AppError('internal', { cause: ending.cause })
  if (ending.kind !== 'exited') throw new AppError('undecodable')
}

type ConvertedPart = { readonly bytes: Buffer; readonly fromS: number; readonly release: () => void }

/** Presents a part as a file with a name, a time and a tag of its own. Closing it gives its memory back. */
function partFile({ entry }: OpenFile, { bytes, fromS, release }: ConvertedPart): OpenFile {
  const { modifiedMs, mode } = entry.target ?? entry
  const name = `${splitName(entry.name).stem}.mp4`
  return {
    entry: {
      name,
      kind: 'file',
      sizeBytes: bytes.length,
      modifiedMs,
      mode,
      etag: `${entry.etag}-remux-${fromS}`,
    },
    async *bytes({ start, end }) {
      yield bytes.subarray(start, end)
    },
    close: async () => release(),
  }
}
