import { applyWith, type ChangeHandlers, type IntendedChange } from './change.ts'
import type { NarrowOptions, Storage } from './port.ts'

/**
 * A rule that changes of a storage follow. It decides about every kind of change: it refuses the change, passes it on to
 * `storage`, or does something before or after that.
 */
export type Policy = {
  readonly handlers: (storage: Storage) => ChangeHandlers
  /** Throws the error that a change would currently fail with, because of this policy or in `storage`. */
  readonly check: (storage: Storage, change: IntendedChange) => Promise<void>
  /** Returns the policy for a part of the storage. */
  readonly narrowed: (to: NarrowOptions) => Policy
  /** Replaces the space that the storage reports. */
  readonly usage?: (storage: Storage) => Storage['usage']
}

/** Returns a storage whose changes pass these policies, the first one first. */
export const withPolicies = (storage: Storage, policies: readonly Policy[]): Storage =>
  policies.reduceRight(withPolicy, storage)

const withPolicy = (storage: Storage, policy: Policy): Storage => ({
  ...storage,
  narrow: async (to) => withPolicy(await storage.narrow(to), policy.narrowed(to)),
  apply: applyWith(policy.handlers(storage)),
  check: (change) => policy.check(storage, change),
  ...(policy.usage && { usage: policy.usage(storage) }),
})
