/** The parts of uploads that are being received. Each upload has at most one part in flight. */
export type PartsInFlight = {
  /**
   * Aborts the part in flight of an upload and waits until the part has ended. This is done when a client reconnects,
   * because the client has then lost the connection of its earlier request.
   */
  stop(token: string): Promise<void>
  /**
   * Stops the earlier part of an upload, then runs `work`. The signal that `work` receives aborts when `signal` aborts
   * or when `stop` is called.
   */
  run<T>(token: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** True while a part of the upload is in flight. */
  has(token: string): boolean
}

type RunningPart = { readonly controller: AbortController; readonly settled: Promise<unknown> }

/** Creates an empty set of parts in flight. */
export function createPartsInFlight(): PartsInFlight {
  const parts = new Map<string, RunningPart>()

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
      // Several callers may wait for the same part to stop, so each caller checks again. There is no await between this
      // check and `parts.set`, so only one of the callers starts its part.
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
