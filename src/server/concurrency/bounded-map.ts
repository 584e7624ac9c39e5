/** A map that removes its oldest entries when it is full. Setting an entry makes it the newest one. */
export type BoundedMap<Key, Value> = Pick<Map<Key, Value>, 'get' | 'has' | 'delete' | 'clear'> & {
  readonly set: (key: Key, value: Value) => void
}

/** Creates a map with at most `maxEntries` entries, whose keys have at most `maxKeyCharacters` characters together. */
export function createBoundedMap<Key extends string | number, Value>(
  maxEntries: number,
  maxKeyCharacters = Number.POSITIVE_INFINITY,
): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>()
  let keyCharacters = 0

  function remove(key: Key): boolean {
    if (!entries.delete(key)) return false
    keyCharacters -= lengthOf(key)
    return true
  }

  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    delete: remove,
    clear() {
      entries.clear()
      keyCharacters = 0
    },
    set(key, value) {
      remove(key)
      entries.set(key, value)
      keyCharacters += lengthOf(key)
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && keyCharacters <= maxKeyCharacters) return
        remove(oldest)
      }
    },
  }
}

const lengthOf = (key: string | number): number => (typeof key === 'string' ? key.length : 0)
