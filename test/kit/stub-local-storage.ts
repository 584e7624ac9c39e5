import { vi } from 'vitest'

/** Replaces the browser's `localStorage` by one that keeps its values in a map, until the test unstubs all globals. */
export const stubLocalStorage = (values: Map<string, string>): void =>
  void vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  })
