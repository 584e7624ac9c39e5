import { close } from 'node:fs'
import { promisify } from 'node:util'
import { ignoreTimeout, type DeadlineRunner } from './deadline-calls.ts'
import { createLease, type ResourceLease } from './lease.ts'

const closeAsync = promisify(close)

/**
 * Creates a lease for descriptors. The descriptors are closed in Node's thread pool with a deadline, because on some
 * disks closing a descriptor may hang.
 */
export const leaseDescriptors = (calls: DeadlineRunner, descriptors: readonly number[]): ResourceLease =>
  createLease(async () =>
    Promise.all(
      descriptors.map(async (descriptor) => ignoreTimeout(calls(async () => closeAsync(descriptor)))),
    ),
  )
