/** What was found under a key, for as long as nobody commits anything. */
export type Keep<K, V> = {
  /** Undefined where nothing is kept. */
  readonly known: (key: K) => V | undefined
  /** To be called before the search: gives how to keep what it finds. Where somebody has committed meanwhile, nothing is kept. */
  readonly searching: () => (key: K, found: V) => void
}

/** Nobody has so many users or sessions at work at once; beyond it everything is forgotten. */
const mostKept = 10_000

/** `version` is another number after every commit, whoever made it; it is asked before each answer. */
export function createKeep<K, V>(version: () => number): Keep<K, V> {
  const kept = new Map<K, V>()
  let keptFor = Number.NaN
  // Who asks seldom asks once: to compare a long text is cheaper than to look it up.
  let last: { readonly key: K; readonly found: V } | null = null

  function present(): number {
    const asOf = version()
    if (asOf !== keptFor) {
      kept.clear()
      last = null
      keptFor = asOf
    }
    return asOf
  }

  return {
    known(key) {
      present()
      if (last?.key === key) return last.found
      const found = kept.get(key)
      if (found !== undefined) last = { key, found }
      return found
    },
    searching() {
      // Kept under the version from before the search: if something was committed meanwhile, the next one to ask searches again.
      const asOf = present()
      return (key, found) => {
        if (keptFor !== asOf) return
        if (kept.size >= mostKept) kept.clear()
        kept.set(key, found)
        last = null
      }
    },
  }
}
