import { createBoundedMap } from '../../concurrency/bounded-map.ts'

/** A cache whose entries are valid until any process commits to the database. */
export type VersionedCache<K, V> = {
  /** Returns the cached value; undefined when the cache does not contain the key. */
  readonly get: (key: K) => V | undefined
  /**
   * Must be called before a value is read from the database. Returns a function that caches the value. The function
   * does nothing when the cache has detected a commit since the call of `beginRead`.
   */
  readonly beginRead: () => (key: K, value: V) => void
}

/**
 * The maximum number of entries in a cache, which is far more than a server has active users or sessions.
 */
const cacheCapacity = 10_000
/** The characters of all keys of a cache. A key may be a session token, whose size depends on the commands of its user. */
const maxKeyCharacters = 16 * 1024 * 1024

/**
 * Creates a cache. `version` must return another number after every commit of any process. It is called on every
 * access.
 */
export function createVersionedCache<K extends string | number, V>(
  version: () => number,
): VersionedCache<K, V> {
  const entries = createBoundedMap<K, V>(cacheCapacity, maxKeyCharacters)
  let cachedVersion = Number.NaN
  // The entry that was used last is checked first, because consecutive calls often have the same key.
  let lastEntry: { readonly key: K; readonly value: V } | null = null

  function refresh(): number {
    const currentVersion = version()
    if (currentVersion !== cachedVersion) {
      entries.clear()
      lastEntry = null
      cachedVersion = currentVersion
    }
    return currentVersion
  }

  return {
    get(key) {
      refresh()
      if (lastEntry?.key === key) return lastEntry.value
      const value = entries.get(key)
      if (value !== undefined) lastEntry = { key, value }
      return value
    },
    beginRead() {
      // A value is not cached when another call has detected a commit since the start of the read. A commit that no
      // call has detected yet is harmless, because `get` refreshes the version first and then clears the entries.
      const versionBefore = refresh()
      return (key, value) => {
        if (cachedVersion !== versionBefore) return
        entries.set(key, value)
        lastEntry = null
      }
    },
  }
}
