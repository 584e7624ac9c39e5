import type { UploadDependencies } from './upload-steps.ts'

/**
 * How long an unfinished upload waits for its next part (24 hours), and how long a finished one is remembered for a
 * client that missed the last answer (10 minutes).
 */
export const retentionMs = { open: 24 * 3_600_000, done: 10 * 60_000 } as const

/** The parts of the upload dependencies that removing expired uploads uses. */
export type ExpiryDependencies = Pick<UploadDependencies, 'uploads' | 'partsInFlight' | 'nowMs' | 'discard'>

/**
 * Removes the uploads whose retention time is over, except those that are receiving a part now. Returns how many were
 * removed.
 */
export async function expireUploads({
  uploads,
  partsInFlight,
  nowMs,
  discard,
}: ExpiryDependencies): Promise<number> {
  let count = 0
  for (;;) {
    const old = await uploads.listStale({
      openBeforeMs: nowMs() - retentionMs.open,
      doneBeforeMs: nowMs() - retentionMs.done,
    })
    const expired = old.filter(({ token }) => !partsInFlight.has(token))
    if (expired.length === 0) return count
    await discard(expired.filter(({ isDone }) => !isDone).map(({ token }) => token))
    await uploads.remove(expired.map(({ token }) => token))
    count += expired.length
  }
}
