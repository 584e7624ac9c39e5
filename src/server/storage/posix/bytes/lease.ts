/**
 * Descriptors in use. They are closed when they were released and no call works on them any more: one that was given up may still
 * come back, and their numbers would by then stand for other files.
 */
export type Lease = {
  /** A call begins to use them; gives what to call when it is over. */
  use(): () => void
  /** To be called once. Waits until they are closed, unless a call that was given up keeps them. */
  release(): Promise<void>
}

export function leaseOf(close: () => Promise<unknown>): Lease {
  let uses = 0
  let isReleased = false
  return {
    use() {
      uses += 1
      return () => {
        uses -= 1
        if (uses === 0 && isReleased) void close().catch(() => {})
      }
    },
    async release() {
      isReleased = true
      if (uses === 0) await close()
    },
  }
}

/** Two at once, for a call that uses both. */
export const both = (one: Lease, other: Lease): Pick<Lease, 'use'> => ({
  use() {
    const [first, second] = [one.use(), other.use()]
    return () => {
      first()
      second()
    }
  },
})
