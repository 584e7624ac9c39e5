import type { UploadDependencies } from './upload-steps.ts'

/**
 * Retention of uploads: an unfinished upload is kept for 24 hours after its last part, and the row of a finished upload
 * for 10 minutes, for clients that missed the last response.
 */
export const retentionMs = { open: 24 * 3_600_000, done: 10 * 60_000 } as const

/** The dependencies of `expireUploads`. */
export type ExpiryDependencies = Pick<UploadDependencies, 'uploads' | 'partsInFlight' | 'nowMs' | 'discard'>

/** Removes expired uploads, except uploads with a part in flight. Returns the number of removed uploads. */
export async function expireUploads({
  uploads,
  partsInFlight,
  nowMs,
  discard,
}: ExpiryDependencies): Promise<number> {
  let count = 0
  for (;;) {
    const stale = await uploads.listStale({
      openBeforeMs: nowMs() - retentionMs.open,
      doneBeforeMs: nowMs() - retentionMs.done,
    })
    const expired = stale.filter(({ token }) => !partsInFlight.has(token))
    if (expired.length === 0) return count
    await discard(expired.filter(({ isDone }) => !isDone).map(({ token }) => token))
    await uploads.remove(expired.map(({ token }) => token))
    count += expired.length
  }
}
