/**
 * The minimum time in milliseconds between the starts of two large tasks, in which the event loop serves other
 * requests.
 */
const minIntervalMs = 50

/** Resolves when the caller may start its large task. There is a pause between the starts of two tasks. */
export type RateLimiter = () => Promise<void>

/**
 * Creates a rate limiter for large tasks that have to run on the main thread. The tasks start one after the other with
 * a pause after each start, so that small requests are served in between, even when many large tasks wait (security
 * design 3.8).
 */
export function createRateLimiter(): RateLimiter {
  const waiting: (() => void)[] = []
  let isRunning = false

  function startNext(): void {
    const start = waiting.shift()
    isRunning = start !== undefined
    if (start === undefined) return
    setTimeout(startNext, minIntervalMs)
    start()
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (isRunning) return
      isRunning = true
      setImmediate(startNext)
    })
}
