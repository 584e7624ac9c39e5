/** Pause in milliseconds after the start of each large task, during which the event loop serves other requests. */
const pauseMs = 50

/** Resolves when the caller may start its large task. Between two starts, there is a pause. */
export type RateLimiter = () => Promise<void>

/**
 * Creates a rate limiter for large tasks that have to run on the main thread. They start one after the other with a
 * pause after each start, so that small requests are served between them, even when many large tasks wait (security
 * 3.8).
 */
export function createRateLimiter(): RateLimiter {
  const waiting: (() => void)[] = []
  let isRunning = false

  function startNext(): void {
    const start = waiting.shift()
    isRunning = start !== undefined
    if (start === undefined) return
    setTimeout(startNext, pauseMs)
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
