import { storedText, storeText, type StorageName } from './browser-storage.ts'

/** Returns the list under a key, or an empty one. Its reader checks the items, because other programs can write them. */
export function storedList(key: string, storage?: StorageName): readonly unknown[] {
  try {
    const saved: unknown = JSON.parse(storedText(key, storage) ?? '[]')
    return Array.isArray(saved) ? saved : []
  } catch {
    return []
  }
}

/** Keeps a list under a key; an empty one is removed. */
export const storeList = (key: string, list: readonly unknown[], storage?: StorageName): void =>
  storeText(key, list.length === 0 ? null : JSON.stringify(list), storage)
