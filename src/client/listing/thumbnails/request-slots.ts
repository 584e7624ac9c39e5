/**
 * Creates the function that waits for a free slot. It resolves with the function that releases the slot, or with null when
 * the signal aborts before a slot is free.
 */
export function createSlots(maxConcurrent: number): (signal: AbortSignal) => Promise<(() => void) | null> {
  const waiting = new Set<() => void>()
  let running = 0
  const startNext = (): void => {
    const [start] = waiting
    if (start === undefined || running >= maxConcurrent) return
    waiting.delete(start)
    running += 1
    start()
  }
  const release = (): void => {
    running -= 1
    startNext()
  }
  return (signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(null)
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(release)
      }
      const leave = (): void => {
        waiting.delete(start)
        resolve(null)
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(start)
      startNext()
    })
}
