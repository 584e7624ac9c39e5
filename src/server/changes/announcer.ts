import type { Announce, FindChangeHooks, Change } from './change.ts'

export type Announcer = {
  readonly announce: Announce
  /**
   * Subscribes a listener to all changes and returns a function that unsubscribes it. A listener may return a promise
   * for work that it does with a change.
   */
  readonly subscribe: (listener: (change: Change) => void | Promise<void>) => () => void
  /**
   * Resolves when the listeners have finished with all changes announced so far, so that an answer never precedes the
   * state that it reports.
   */
  readonly settled: () => Promise<void>
  /** Finds what runs before and after a change, as set by `setHooks`. */
  readonly findHooks: FindChangeHooks
  /** Sets what runs before and after changes. Until then nothing does. */
  readonly setHooks: (find: FindChangeHooks) => void
}

const noHooks: FindChangeHooks = async () => ({ before: null, after: null })

/**
 * Creates an announcer, which passes each change to all listeners, in order. A listener that throws neither keeps the
 * others from being called nor reverts the change.
 */
export function createAnnouncer(onFault: (error: unknown) => void): Announcer {
  const listeners = new Set<(change: Change) => void | Promise<void>>()
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
