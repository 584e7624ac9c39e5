import { close } from 'node:fs'
import { promisify } from 'node:util'
import { ignoreTimeout, type DeadlineRunner } from './deadline-calls.ts'

const closeAsync = promisify(close)

/**
 * Shared use of open descriptors, which are closed once the lease is released and no call uses them any more. A call
 * that was given up may still run. If a descriptor were closed too early, the call could work on an unrelated file that
 * reuses the descriptor's number.
 */
export type Lease = {
  /** Registers a call that uses the descriptors. Returns a function that must be called when the call is over. */
  use(): () => void
  /**
   * Releases the lease; must be called exactly once. Waits until the descriptors are closed, unless a call that was
   * given up still uses them.
   */
  release(): Promise<void>
}

/** Creates a lease that calls `close` once it is released and its last use has ended. */
export function createLease(close: () => Promise<unknown>): Lease {
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

/** Combines two leases for a call that uses the descriptors of both. */
export const combinedLease = (one: Lease, other: Lease): Pick<Lease, 'use'> => ({
  use() {
    const [first, second] = [one.use(), other.use()]
    return () => {
      first()
      second()
    }
  },
})
/**
 * Creates a lease for descriptors. They are closed in Node's thread pool with a deadline, because closing, like any
 * other call, hangs on some disks.
 */
export const leaseDescriptors = (calls: DeadlineRunner, descriptors: readonly number[]): Lease =>
  createLease(async () =>
    Promise.all(
      descriptors.map(async (descriptor) => ignoreTimeout(calls(async () => closeAsync(descriptor)))),
    ),
  )
