/** A cache whose entries are valid until any process commits to the database. */
export type VersionedCache<K, V> = {
  /** Returns the cached value; undefined when there is none. */
  readonly get: (key: K) => V | undefined
  /**
   * Must be called before a value is read from the database. Returns the function that caches the value. The function
   * does nothing when a commit has happened in between.
   */
  readonly beginRead: () => (key: K, found: V) => void
}

/** The most entries of a cache, far more than a server has active users or sessions. A full cache is emptied. */
const cacheCapacity = 10_000

/**
 * Creates a cache. `version` returns another number after every commit of any process, and is called before each
 * answer.
 */
export function createVersionedCache<K, V>(version: () => number): VersionedCache<K, V> {
  const entries = new Map<K, V>()
  let cachedVersion = Number.NaN
  // The last entry is checked first, because most callers ask for the same key again, and comparing two strings is
  // cheaper than a lookup.
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
      // The entry belongs to the version before the read: after a commit in between, the next caller reads again.
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
