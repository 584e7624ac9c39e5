import { createStore, type Store } from './store.ts'

/** A choice that this device keeps. Where the browser keeps nothing, it holds as long as the page. */
export function createDeviceStore<T extends string>(
  key: string,
  initial: T,
  allowed: readonly T[],
): Store<T> {
  const store = createStore<T>(initial)
  try {
    const kept = localStorage.getItem(key) as T | null
    if (kept !== null && allowed.includes(kept)) store.set(kept)
  } catch {
    return store
  }
  store.subscribe(() => keep(key, store.get() === initial ? null : store.get()))
  return store
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // full or forbidden: the choice holds as long as the page
  }
}
