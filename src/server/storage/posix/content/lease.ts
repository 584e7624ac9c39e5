/**
 * Keeps resources, such as open descriptors, alive until the lease is released and no call uses them any more. A call
 * that has timed out may still be running. If its descriptor were closed, the call could work on an unrelated file that
 * reuses the number of the descriptor.
 */
export type ResourceLease = {
  /** Registers a call that uses the resources. Returns a function that must be called when the call has ended. */
  use(): () => void
  /**
   * Releases the lease. Must be called exactly once. Waits until the resources are freed, unless a call that has timed
   * out still uses them.
   */
  release(): Promise<void>
}

/** Creates a lease that calls `close` once it is released and its last use has ended. */
export function createLease(close: () => Promise<unknown>): ResourceLease {
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

/** Combines two leases for a call that uses the resources of both. */
export const combineLeases = (one: ResourceLease, other: ResourceLease): Pick<ResourceLease, 'use'> => ({
  use() {
    const [first, second] = [one.use(), other.use()]
    return () => {
      first()
      second()
    }
  },
})
