/** The longest that work may hold the screen (ux 2.10). */
const breathMs = 8

/** A function to call between steps of long work: null most of the time, a short pause when the screen has waited long enough. */
export function createBreather(nowMs: () => number): () => Promise<void> | null {
  let sinceMs = nowMs()
  return () => {
    if (nowMs() - sinceMs < breathMs) return null
    return new Promise((resolve) => {
      setTimeout(() => {
        sinceMs = nowMs()
        resolve()
      }, 0)
    })
  }
}
