import type { ChangePublisher, ChangeHookFinder, StorageChange } from './change.ts'

export type ChangeAnnouncer = {
  readonly announce: ChangePublisher
  /**
   * Subscribes a listener to all changes and returns a function that unsubscribes it. A listener that works
   * asynchronously returns a promise.
   */
  readonly subscribe: (listener: (change: StorageChange) => void | Promise<void>) => () => void
  /**
   * Resolves when the listeners have processed all changes announced so far. Callers wait for it before they respond,
   * so that a client that receives the response can rely on the effects of the change.
   */
  readonly settled: () => Promise<void>
  /** Finds the hooks of a change with the function that was passed to `setHooks`. */
  readonly findHooks: ChangeHookFinder
  /** Sets the function that finds the hooks of changes. Until this is called, no change has hooks. */
  readonly setHooks: (find: ChangeHookFinder) => void
}

const noHooks: ChangeHookFinder = async () => ({ before: null, after: null })

/**
 * Creates an announcer, which passes each change to all listeners, in order. When a listener throws, the other
 * listeners are still called, and the change is not reverted.
 */
export function createAnnouncer(onFault: (error: unknown) => void): ChangeAnnouncer {
  const listeners = new Set<(change: StorageChange) => void | Promise<void>>()
  const pendingWork = new Set<Promise<void>>()
  let findHooks = noHooks

  function track(work: Promise<void>): void {
    const done = work.catch(onFault).finally(() => pendingWork.delete(done))
    pendingWork.add(done)
  }
  return {
    announce(change) {
      for (const listener of listeners) {
        try {
          const work = listener(change)
          if (work !== undefined) track(work)
        } catch (error) {
          onFault(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    settled: async () => void (await Promise.all(pendingWork)),
    findHooks: (intent) => findHooks(intent),
    setHooks(find) {
      findHooks = find
    },
  }
}
