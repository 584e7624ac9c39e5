import {
  observedChangeOf,
  type ChangeHookFinder,
  type ChangeObserver,
  type ChangePublisher,
  type StorageChange,
} from './change.ts'

export type ChangeAnnouncer = {
  /**
   * Announces a change. Callers wait for it before they respond, so that a client that receives the response can rely on
   * the effects of the change.
   */
  readonly announce: ChangePublisher
  /**
   * Subscribes a listener to all changes of this server and returns a function that unsubscribes it. A listener that
   * works asynchronously returns a promise.
   */
  readonly subscribe: (listener: (change: StorageChange) => void | Promise<void>) => () => void
  /** Adds an observer of the changes of all servers of the state, and returns a function that removes it. */
  readonly observe: (observer: ChangeObserver) => () => void
  /** Reports the changes of other servers to the observers. */
  readonly reports: ChangeObserver
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
  const observers = new Set<ChangeObserver>()
  let findHooks = noHooks

  function report(toObserver: (observer: ChangeObserver) => void): void {
    for (const observer of observers) {
      try {
        toObserver(observer)
      } catch (error) {
        onFault(error)
      }
    }
  }

  return {
    async announce(change) {
      const observed = observedChangeOf(change)
      report(({ onChange }) => onChange(observed))
      const work: Promise<void>[] = []
      for (const listener of listeners) {
        try {
          const running = listener(change)
          if (running !== undefined) work.push(running.catch(onFault))
        } catch (error) {
          onFault(error)
        }
      }
      await Promise.all(work)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    observe(observer) {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    reports: {
      onChange: (change) => report(({ onChange }) => onChange(change)),
      onLoss: () => report(({ onLoss }) => onLoss()),
    },
    findHooks: (intent) => findHooks(intent),
    setHooks(find) {
      findHooks = find
    },
  }
}
