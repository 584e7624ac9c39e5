/** The parts that are under way: one at most of each upload. */
export type Running = {
  /** Ends what is under way of an upload, and waits until it has let go: its client has left, and comes again. */
  stop(token: string): Promise<void>
  /** Works on an upload, after whatever was under way. */
  run<T>(token: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  has(token: string): boolean
}

type Part = { readonly controller: AbortController; readonly settled: Promise<unknown> }

export function createRunning(): Running {
  const parts = new Map<string, Part>()

  async function stop(token: string): Promise<void> {
    for (let part = parts.get(token); part !== undefined; part = parts.get(token)) {
      part.controller.abort()
      await part.settled
    }
  }

  return {
    stop,
    has: (token) => parts.has(token),
    async run(token, signal, work) {
      // Of several that waited, another may have gone first; between this look and what is noted below nobody comes.
      while (parts.has(token)) await stop(token)
      const controller = new AbortController()
      const result = work(AbortSignal.any([signal, controller.signal]))
      const settled = result.then(
        () => parts.delete(token),
        () => parts.delete(token),
      )
      parts.set(token, { controller, settled })
      return result
    },
  }
}
