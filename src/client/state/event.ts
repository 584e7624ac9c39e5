/**
 * Something that happens, of which listeners are told at that moment. Unlike a store, an event has no value that could be read
 * later, so nothing of it is left for the next user.
 */
export type ClientEvent<T> = {
  readonly emit: (detail: T) => void
  /** Adds a listener. Returns the function that removes it. */
  readonly subscribe: (listener: (detail: T) => void) => () => void
}

/** Creates an event without listeners. */
export function createEvent<T>(): ClientEvent<T> {
  const listeners = new Set<(detail: T) => void>()
  return {
    emit: (detail) => {
      for (const listener of listeners) listener(detail)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
