/**
 * The minimum time in milliseconds between the starts of two large tasks, in which the event loop serves other
 * requests.
 */
const minIntervalMs = 50

/**
 * Resolves when the caller may start its large task. There is a pause between the starts of two tasks. The tasks of
 * different keys take turns, so that the many tasks of one client do not delay the task of another.
 */
export type RateLimiter = (key?: string) => Promise<void>

/**
 * Creates a rate limiter for large tasks that have to run on the main thread. The tasks start one after the other with
 * a pause after each start, so that small requests are served in between, even when many large tasks wait (security
 * design 3.8).
 */
export function createRateLimiter(): RateLimiter {
  /** The waiting tasks by key. The first key is the next whose task starts, and then becomes the last. */
  const waiting = new Map<string, (() => void)[]>()
  let isRunning = false

  function takeNext(): (() => void) | undefined {
    for (const [key, tasks] of waiting) {
      waiting.delete(key)
      const start = tasks.shift()
      if (tasks.length > 0) waiting.set(key, tasks)
      return start
    }
    return undefined
  }

  function startNext(): void {
    const start = takeNext()
    isRunning = start !== undefined
    if (start === undefined) return
    setTimeout(startNext, minIntervalMs)
    start()
  }

  return (key = '') =>
    new Promise((resolve) => {
      const tasks = waiting.get(key)
      if (tasks === undefined) waiting.set(key, [resolve])
      else tasks.push(resolve)
      if (isRunning) return
      isRunning = true
      setImmediate(startNext)
    })
}
