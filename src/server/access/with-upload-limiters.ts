import { limits } from '../../shared/domain/limits.ts'
import { streamOfBytes } from '../storage/stream-of-bytes.ts'
import { smallFileBytes, type IncomingBody, type Storage } from '../storage/port.ts'
import { createKeyedLimiter, runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'

/** Limiters for the number of concurrent uploads of each user. */
export type UploadLimiters = {
  readonly any: KeyedLimiter
  /**
   * Limits uploads of small new files whose bytes have arrived with the request. Small files for the same folder are
   * stored in batches.
   */
  readonly small: KeyedLimiter
}

export const createUploadLimiters = (): UploadLimiters => ({
  any: createKeyedLimiter({ maxConcurrent: limits.concurrentUploads }),
  small: createKeyedLimiter({ maxConcurrent: limits.concurrentSmallUploads }),
})

/**
 * Wraps a storage so that only a few uploads of a user run concurrently. Further uploads wait, and none of their bytes
 * are read until they start (security 3.8). Writes that replace a file and small new files have separate queues, so
 * that they do not wait behind large uploads.
 */
export function withUploadLimiters(
  storage: Storage,
  limiters: UploadLimiters,
  uploader: number | string,
): Storage {
  const userKey = `uploads of ${uploader}`
  return {
    ...storage,
    narrow: async (to) => withUploadLimiters(await storage.narrow(to), limiters, uploader),
    write: async (path, body, options) => {
      const { overwrite, sizeBytes, signal } = options
      const bytes = overwrite === 'create' ? await whole(body, sizeBytes) : null
      if (bytes !== null)
        return runLimited({ limiter: limiters.small, key: userKey, signal }, async () =>
          storage.write(path, streamOfBytes(bytes), options),
        )
      const key = overwrite === 'replace' ? `saves of ${uploader}` : userKey
      return runLimited({ limiter: limiters.any, key, signal }, async () =>
        storage.write(path, body, options),
      )
    },
    put: async (session, part, options = {}) =>
      runLimited({ limiter: limiters.any, key: userKey, signal: options.signal }, async () =>
        storage.put(session, part, options),
      ),
  }
}

const whole = async (body: IncomingBody, sizeBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> =>
  sizeBytes <= smallFileBytes ? ((await body.whole?.(sizeBytes)) ?? null) : null
