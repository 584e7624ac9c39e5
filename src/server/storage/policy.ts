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

/**
 * Returns a storage whose changes pass these policies. They are created for the first call that depends on them, because most
 * requests only read.
 */
export function withPoliciesOnDemand(storage: Storage, createPolicies: () => readonly Policy[]): Storage {
  let created: Storage | undefined
  const withAll = (): Storage => (created ??= withPolicies(storage, createPolicies()))
  const calls: PolicedCalls = {
    narrow: async (to) => withAll().narrow(to),
    apply: async (change) => withAll().apply(change),
    check: async (change) => withAll().check(change),
    usage: async (...args) => withAll().usage(...args),
  }
  return { ...storage, ...calls }
}

/** The calls of a storage that policies change. */
type PolicedCalls = Pick<Storage, 'narrow' | 'apply' | 'check' | 'usage'>

function withPolicy(storage: Storage, policy: Policy): Storage {
  const calls: PolicedCalls = {
    narrow: async (to) => withPolicy(await storage.narrow(to), policy.narrowed(to)),
    apply: applyWith(policy.handlers(storage)),
    check: (change) => policy.check(storage, change),
    usage: policy.usage?.(storage) ?? (async (...args) => storage.usage(...args)),
  }
  return { ...storage, ...calls }
}
