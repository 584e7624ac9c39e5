import { limits } from '../../shared/domain/limits.ts'
import { streamOfBytes } from '../storage/stream-of-bytes.ts'
import type { IncomingBody } from '../storage/change.ts'
import { refuseNothing, type Policy } from '../storage/policy.ts'
import { smallFileBytes } from '../storage/port.ts'
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
 * The policy that only a few uploads of a user run concurrently. Further uploads wait, and none of their bytes are read
 * until they start (security 3.8). Writes that replace a file and small new files have separate queues, so that they do
 * not wait behind large uploads. `uploader` identifies the user or the guest.
 */
export function concurrentUploadsPolicy(limiters: UploadLimiters, uploader: number | string): Policy {
  const userKey = `uploads of ${uploader}`
  const policy: Policy = {
    narrowed: () => policy,
    check: refuseNothing,
    handlers: (next) => ({
      async write(change) {
        const { body, overwrite, sizeBytes, signal } = change
        const bytes = overwrite === 'create' ? await whole(body, sizeBytes) : null
        if (bytes !== null)
          return runLimited({ limiter: limiters.small, key: userKey, signal }, async () =>
            next('write')({ ...change, body: streamOfBytes(bytes) }),
          )
        const key = overwrite === 'replace' ? `saves of ${uploader}` : userKey
        return runLimited({ limiter: limiters.any, key, signal }, async () => next('write')(change))
      },
      begin: next('begin'),
      put: async (change) =>
        runLimited({ limiter: limiters.any, key: userKey, signal: change.signal }, async () =>
          next('put')(change),
        ),
      commit: next('commit'),
      abort: next('abort'),
      makeFolder: next('makeFolder'),
      move: next('move'),
      copy: next('copy'),
      remove: next('remove'),
      setFolderTime: next('setFolderTime'),
    }),
  }
  return policy
}

const whole = async (body: IncomingBody, sizeBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> =>
  sizeBytes <= smallFileBytes ? ((await body.whole?.(sizeBytes)) ?? null) : null
