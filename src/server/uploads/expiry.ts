import type { Desk } from './desk.ts'

/** How long an upload waits for its next part, and how long one that is done is remembered. */
export const keptMs = { open: 24 * 3_600_000, done: 10 * 60_000 } as const

export type Expiring = Pick<Desk, 'uploads' | 'running' | 'nowMs' | 'discard'>

/** Removes the uploads that nobody goes on with; gives their number. */
export async function expireUploads({ uploads, running, nowMs, discard }: Expiring): Promise<number> {
  let count = 0
  for (;;) {
    const old = await uploads.listOld({
      openBeforeMs: nowMs() - keptMs.open,
      doneBeforeMs: nowMs() - keptMs.done,
    })
    const gone = old.filter(({ token }) => !running.has(token))
    if (gone.length === 0) return count
    await discard(gone.filter(({ isDone }) => !isDone).map(({ token }) => token))
    await uploads.remove(gone.map(({ token }) => token))
    count += gone.length
  }
}
