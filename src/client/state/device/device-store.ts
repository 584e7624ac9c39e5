import { storedText, storeText } from '../storage/browser-storage.ts'
import { createStore, type Store } from '../store.ts'

/**
 * Creates a store whose value is saved in this browser and shared by all users of the browser. Without browser storage
 * the value lasts as long as the page. `allowed` lists the values, or decides whether a saved text is a value.
 */
export function createDeviceStore<T extends string>(
  key: string,
  initial: T,
  allowed: readonly T[] | ((text: string) => boolean),
): Store<T> {
  const store = createStore<T>(initial)
  const kept = storedText(key) as T | null
  const isAllowed = typeof allowed === 'function' ? allowed : (text: string) => allowed.includes(text as T)
  if (kept !== null && isAllowed(kept)) store.set(kept)
  store.subscribe(() => storeText(key, store.get() === initial ? null : store.get()))
  return store
}
