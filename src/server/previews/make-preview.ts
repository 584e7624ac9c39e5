import { createBoundedMap } from '../concurrency/bounded-map.ts'
import type { PreviewSize } from '../../shared/contract/previews.ts'
import { AppError, codeOf, type ErrorCode } from '../../shared/domain/failure.ts'
import type { OpenFile } from '../storage/port.ts'
import { runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { conversionLimits, type PreviewFormat } from './conversion.ts'
import type { ConversionResult, ImageSource } from './converter.ts'
import type { ConverterPool } from './converter-pool.ts'
import { sizeBytesOf } from './open-image.ts'
import type { GuestPreviewLimiters } from './guest-limiters.ts'
import type { PosterDrawer } from './draw-poster.ts'
import type { PosterKind } from './poster-kind.ts'
import type { PreviewCache, PreviewKey } from './preview-cache.ts'

export type PreviewJob = {
  /** The open file. The caller closes it. */
  readonly file: OpenFile
  /** The kind of a file of which a picture is drawn before it is converted. Null for an image. */
  readonly poster: PosterKind | null
  readonly size: PreviewSize
  readonly format: PreviewFormat
  /** The user or guest whose conversions are limited together. */
  readonly principal: string
  readonly isGuest: boolean
  readonly signal: AbortSignal
}

/** Returns the bytes of a preview, or null when the image itself should be sent instead. */
export type PreviewMaker = (job: PreviewJob) => Promise<Buffer | null>

export type MakePreviewDependencies = {
  readonly cache: PreviewCache
  readonly converterPool: ConverterPool
  readonly drawPoster: PosterDrawer
  /** The maximum size in bytes of an image that is read. */
  readonly sourceBytes?: number
  /** Limits the conversions of each user. */
  readonly limiter: KeyedLimiter
  readonly guests: GuestPreviewLimiters
  readonly nowMs: () => number
  /** Called once when the image library is missing. */
  readonly onLibraryMissing: () => void
}

/**
 * The time in milliseconds (10 minutes) during which a failed conversion is not repeated, because the same bytes would
 * fail again.
 */
const failureMemoryMs = 600_000
/**
 * The maximum number of failed conversions that are remembered. Above this number, all of them are forgotten, which
 * bounds the memory use.
 */
const maxFailures = 1000

/**
 * Creates the function that makes previews. A preview comes from the cache or from a converter process. Concurrent
 * requests for the same preview share one conversion.
 */
export function createMakePreview(dependencies: MakePreviewDependencies): PreviewMaker {
  const inFlight = new Map<string, Promise<Buffer | null>>()
  const failures = createBoundedMap<string, { readonly code: ErrorCode; readonly untilMs: number }>(
    maxFailures,
  )
  let isLibraryMissing = false

  function throwKnownFailure(id: string): void {
    const failure = failures.get(id)
    if (failure === undefined) return
    if (failure.untilMs > dependencies.nowMs()) throw new AppError(failure.code)
    failures.delete(id)
  }

  function rememberFailure(id: string, code: ErrorCode): void {
    failures.set(id, { code, untilMs: dependencies.nowMs() + failureMemoryMs })
  }

  async function convert(job: PreviewJob, key: PreviewKey): Promise<Buffer | null> {
    const { kind, bytes } = await convertWithLimit(dependencies, job)
    if (kind === 'without-library') {
      if (!isLibraryMissing) dependencies.onLibraryMissing()
      isLibraryMissing = true
    }
    if (kind === 'too-large' || kind === 'undecodable') throw new AppError(kind)
    if (kind !== 'made') return null
    await dependencies.cache.put(key, bytes)
    return bytes
  }

  async function make(job: PreviewJob, key: PreviewKey, id: string): Promise<Buffer | null> {
    const cached = await dependencies.cache.get(key)
    if (cached !== null) return cached
    throwKnownFailure(id)
    try {
      return await convert(job, key)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'too-large' || code === 'undecodable' || code === 'timeout') rememberFailure(id, code)
      throw error
    }
  }

  return async (job) => {
    const { size, format } = job
    const key = { sourceEtag: job.file.entry.etag, size, format }
    const id = [key.sourceEtag, size, format].join('\0')
    for (let pending = inFlight.get(id); pending !== undefined; pending = inFlight.get(id)) {
      const bytes = await pending.catch(abortedOrThrow)
      if (bytes !== 'aborted') return bytes
    }
    if (isLibraryMissing) return null
    const conversion = make(job, key, id).finally(() => inFlight.delete(id))
    inFlight.set(id, conversion)
    return conversion
  }
}

/**
 * Returns 'aborted' when the shared conversion was aborted because the client that started it has disconnected. Throws
 * all other errors again.
 */
function abortedOrThrow(error: unknown): 'aborted' {
  if (codeOf(error) === 'aborted') return 'aborted'
  throw error
}

/**
 * Converts the image, or draws and converts a picture of the file, as soon as the principal's limit of concurrent
 * conversions allows it.
 */
function convertWithLimit(dependencies: MakePreviewDependencies, job: PreviewJob): Promise<ConversionResult> {
  const { limiter, guests } = dependencies
  const { principal: key, isGuest, signal } = job
  const run = () => convertJob(dependencies, job)
  if (!isGuest) return runLimited({ limiter, key, signal }, run)
  return runLimited({ limiter: guests.each, key, signal }, () =>
    runLimited({ limiter: guests.all, key: 'guests', signal }, run),
  )
}

async function convertJob(
  { drawPoster, converterPool, sourceBytes }: MakePreviewDependencies,
  { file, poster, size, format, signal }: PreviewJob,
): Promise<ConversionResult> {
  const source = poster === null ? imageIn(file) : await drawPoster(poster, file, signal)
  if (source.sizeBytes > (sourceBytes ?? conversionLimits.sourceBytes)) throw new AppError('too-large')
  // The top of the first page identifies a document better than the middle of the page.
  const variant = { size, format, ...(poster === 'pdf' && { crop: 'top' as const }) }
  return converterPool.convert(variant, source, signal)
}

function imageIn(file: OpenFile): ImageSource {
  const sizeBytes = sizeBytesOf(file)
  return { sizeBytes, bytes: () => file.bytes({ start: 0, end: sizeBytes }) }
}
