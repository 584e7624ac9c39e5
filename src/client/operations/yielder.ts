/** Maximum time for which work may block the event loop (ux 2.10). */
const maxBlockingMs = 8

/**
 * Returns a function to call between the steps of long work. When the work has blocked the event loop for
 * `maxBlockingMs`, the function returns a promise to await, and otherwise null.
 */
export function createYielder(nowMs: () => number): () => Promise<void> | null {
  let workStartMs = nowMs()
  return () => {
    if (nowMs() - workStartMs < maxBlockingMs) return null
    return new Promise((resolve) => {
      setTimeout(() => {
        workStartMs = nowMs()
        resolve()
      }, 0)
    })
  }
}
