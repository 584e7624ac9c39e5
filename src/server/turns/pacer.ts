/** Others are served for so long after each large piece of work. */
const restMs = 50

/** Waits until no other large piece of work has just been begun. */
export type Pacer = () => Promise<void>

/**
 * Lets large pieces of work that no thread can do begin one by one, with a rest behind each: what is small comes between, however many
 * large ones wait (security 3.8).
 */
export function createPacer(): Pacer {
  const waiting: (() => void)[] = []
  let isRunning = false

  function next(): void {
    const go = waiting.shift()
    isRunning = go !== undefined
    if (go === undefined) return
    setTimeout(next, restMs)
    go()
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (isRunning) return
      isRunning = true
      setImmediate(next)
    })
}
