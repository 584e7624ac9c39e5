import {
  applyWith,
  type ChangeHandler,
  type ChangeHandlers,
  type ChangeKind,
  type IntendedChange,
} from './change.ts'
import type { NarrowOptions, Storage } from './port.ts'

/**
 * A rule that changes of a storage follow. It decides about every kind of change: it refuses the change, passes it on, or
 * does something before or after that.
 */
export type Policy = {
  /**
   * Returns a handler for each kind of change. A kind about which the policy has no rule gets the next handler itself, so
   * that the policy adds no call. `storage` shows what the policies after this one and the storage say.
   */
  readonly handlers: (next: NextHandler, storage: CheckedStorage) => ChangeHandlers
  /**
   * Throws the error that a change would currently fail with, because of this policy or in `storage`. It is
   * `refuseNothing` for a policy that refuses no change that can be checked.
   */
  readonly check: (storage: CheckedStorage, change: IntendedChange) => Promise<void>
  /** Returns the policy for a part of the storage. */
  readonly narrowed: (to: NarrowOptions) => Policy
  /** Replaces the space that the storage reports. */
  readonly usage?: (storage: CheckedStorage) => Storage['usage']
}

/**
 * Returns the handler to which a policy passes changes of a kind. It is a function and no table: a table could be spread, and
 * a new kind of change would then pass a policy that has not decided about it.
 */
export type NextHandler = <Kind extends ChangeKind>(kind: Kind) => ChangeHandler<Kind>

/** The check of a policy that refuses nothing by itself. */
export const refuseNothing: Policy['check'] = (storage, change) => storage.check(change)

/** A storage that policies ask, and do not change. */
export type CheckedStorage = Omit<Storage, 'apply' | 'narrow'>

/** Returns a storage whose changes pass these policies, the first one first. */
export function withPolicies(storage: Storage, policies: readonly Policy[]): Storage {
  let apply: Storage['apply'] = storage.apply
  let next: NextHandler = () => storage.apply
  let checked: CheckedStorage = storage
  for (const policy of policies.toReversed()) {
    const after = checked
    const handlers = policy.handlers(next, after)
    apply = applyWith(handlers)
    next = (kind) => handlers[kind]
    checked = {
      ...after,
      check: (change) => policy.check(after, change),
      ...(policy.usage && { usage: policy.usage(after) }),
    }
  }
  const narrow: Storage['narrow'] = async (to) =>
    withPolicies(
      await storage.narrow(to),
      policies.map((policy) => policy.narrowed(to)),
    )
  return { ...checked, apply, narrow }
}

/**
 * Returns a storage whose changes pass these policies. They are created for the first call that depends on them, because most
 * requests only read.
 */
export function withPoliciesOnDemand(storage: Storage, createPolicies: () => readonly Policy[]): Storage {
  let created: Storage | undefined
  const withAll = (): Storage => (created ??= withPolicies(storage, createPolicies()))
  /** The calls that policies change. */
  const calls: Pick<Storage, 'narrow' | 'apply' | 'check' | 'usage'> = {
    narrow: async (to) => withAll().narrow(to),
    apply: async (change) => withAll().apply(change),
    check: async (change) => withAll().check(change),
    usage: async (...args) => withAll().usage(...args),
  }
  return { ...storage, ...calls }
}
