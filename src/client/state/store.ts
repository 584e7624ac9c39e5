import { useSyncExternalStore } from 'react'

export type Store<T> = {
  readonly get: () => T
  readonly set: (next: T | ((now: T) => T)) => void
  readonly subscribe: (listener: () => void) => () => void
}

/**
 * Creates a store: a container outside of React for a value, which notifies its subscribers when the value is replaced.
 */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      const replaced = typeof next === 'function' ? (next as (now: T) => T)(value) : next
      if (Object.is(replaced, value)) return
      value = replaced
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the store's value. The component renders again when the value is replaced. */
export const useStore = <T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T =>
  useSyncExternalStore(store.subscribe, store.get, store.get)
