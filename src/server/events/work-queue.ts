/** Work that waits for its turn. Its size is bounded by the number of different keys. */
export type WorkQueue = {
  /** Adds work, unless work with the same key waits already. */
  readonly add: (key: string, work: () => Promise<void>) => void
  /** Removes the work with this key, unless it runs already. */
  readonly remove: (key: string) => void
  readonly clear: () => void
}

/** Creates a queue that runs its work one after the other. Errors are passed to `onFault`. */
export function createWorkQueue(onFault: (error: unknown) => void): WorkQueue {
  const waiting = new Map<string, () => Promise<void>>()
  let isRunning = false

  async function runAll(): Promise<void> {
    for (let next = waiting.entries().next(); next.done !== true; next = waiting.entries().next()) {
      const [key, work] = next.value
      waiting.delete(key)
      await work().catch(onFault)
    }
    isRunning = false
  }

  return {
    add(key, work) {
      if (waiting.has(key)) return
      waiting.set(key, work)
      if (isRunning) return
      isRunning = true
      queueMicrotask(() => void runAll())
    },
    remove: (key) => void waiting.delete(key),
    clear: () => waiting.clear(),
  }
}
