/** The storage of all tabs of this browser, or the storage of one tab, which ends with it. */
export type StorageName = 'localStorage' | 'sessionStorage'

/** Returns the text that the browser keeps under a key. Null when there is none, or when the storage is forbidden. */
export function storedText(key: string, storage: StorageName = 'localStorage'): string | null {
  try {
    return globalThis[storage].getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text under a key; null removes it. */
export function storeText(key: string, text: string | null, storage: StorageName = 'localStorage'): void {
  try {
    if (text === null) globalThis[storage].removeItem(key)
    else globalThis[storage].setItem(key, text)
  } catch {
    // The browser's storage is full or forbidden, so the value lasts as long as the page.
  }
}
