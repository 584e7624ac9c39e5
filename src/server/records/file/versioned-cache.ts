/** A cache whose entries are valid until any process commits to the database. */
export type VersionedCache<K, V> = {
  /** Returns the cached value; undefined when there is none. */
  readonly get: (key: K) => V | undefined
  /**
   * Must be called before a value is read from the database. Returns a function that caches the value. The function
   * does nothing when the cache has seen a commit since the call of `beginRead`.
   */
  readonly beginRead: () => (key: K, found: V) => void
}

/**
 * Maximum number of entries in a cache, far more than a server has active users or sessions. A full cache is cleared.
 */
const cacheCapacity = 10_000

/**
 * Creates a cache. `version` must return another number after every commit of any process. It is called on every
 * access.
 */
export function createVersionedCache<K, V>(version: () => number): VersionedCache<K, V> {
  const entries = new Map<K, V>()
  let cachedVersion = Number.NaN
  // The entry that was used last is checked first: consecutive calls often have the same key, and comparing two strings
  // is cheaper than a lookup in the map.
  let last: { readonly key: K; readonly found: V } | null = null

  function refresh(): number {
    const asOf = version()
    if (asOf !== cachedVersion) {
      entries.clear()
      last = null
      cachedVersion = asOf
    }
    return asOf
  }

  return {
    get(key) {
      refresh()
      if (last?.key === key) return last.found
      const found = entries.get(key)
      if (found !== undefined) last = { key, found }
      return found
    },
    beginRead() {
      // The entry gets the version from before the read. After a commit during the read, the next caller reads again.
      const asOf = refresh()
      return (key, found) => {
        if (cachedVersion !== asOf) return
        if (entries.size >= cacheCapacity) entries.clear()
        entries.set(key, found)
        last = null
      }
    },
  }
}
