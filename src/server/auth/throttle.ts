import { AppError } from '../../shared/domain/failure.ts'
import { networkOf } from './network.ts'
import type { CountKey, SharedCounts } from './shared-counts.ts'
import { digestOf } from './tokens.ts'

/** The account and the client address whose tries are counted together. */
export type ThrottleSubject = { readonly account: string; readonly address: string }

/**
 * Runs the work, such as a password check, unless too many tries have failed. In that case it throws `too-many-tries`
 * immediately. The work returns null for a failed try. An exception counts neither as success nor as failure.
 */
export type Throttle = <T>(who: ThrottleSubject, work: () => Promise<T | null>) => Promise<T | null>

type FailureLimit = { readonly maxFailures: number; readonly windowMs: number }

/** Maximum number of failures in a time window, per account and network and per network alone. */
export type ThrottleLimits = {
  readonly account: readonly FailureLimit[]
  readonly address: readonly FailureLimit[]
}

/** The key of the failures that count towards some limits. */
type FailureKey = CountKey & { readonly limits: readonly FailureLimit[] }

const hourMs = 60 * 60 * 1000
/**
 * The limits for logins (security 3.8). Several servers may each check as many passwords as the first limit allows at the same
 * moment, before they know of each other's failures. The second limit holds the rate then. That of the network never applies to
 * a single server.
 */
const loginLimits: ThrottleLimits = {
  account: [
    { maxFailures: 5, windowMs: 60_000 },
    { maxFailures: 30, windowMs: hourMs },
  ],
  address: [
    { maxFailures: 20, windowMs: 60_000 },
    { maxFailures: 160, windowMs: 8 * 60_000 },
  ],
}

type ThrottleOptions = {
  readonly counts: SharedCounts
  readonly nowMs: () => number
  /** Defaults to the limits for logins. */
  readonly limits?: ThrottleLimits
  /**
   * Prefix of the keys in the records, which separates these counts from the counts of other throttles. Empty for
   * logins.
   */
  readonly keyPrefix?: string
}

/** Creates a throttle that counts failed tries, together with the other servers of the state. */
export function createThrottle({
  counts,
  nowMs,
  limits = loginLimits,
  keyPrefix = '',
}: ThrottleOptions): Throttle {
  const pending = createPendingTries()

  /**
   * Registers a running try and returns a function that unregisters it. A try that might exceed a limit waits until a
   * running try ends, because only failures count.
   */
  async function enter(keys: readonly FailureKey[]): Promise<() => void> {
    for (;;) {
      // Two tries cannot take the same last slot, because one of them is registered before the other one is checked.
      const { leave, ended } = await counts.decideBy(keys, (failures) => {
        const [atMs, all] = [
          nowMs(),
          keys.map((key, index) => ({ ...key, failedAtMs: failures[index] ?? [] })),
        ]
        const waitMs = Math.max(0, ...all.map((one) => retryDelayMs(one, atMs)))
        if (waitMs > 0) throw new AppError('too-many-tries', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
        const full = all.find((one) => remainingTries(one, atMs) <= pending.count(one.key))
        // The promise is taken here, because the running try may end before the caller gets the decision.
        return full === undefined
          ? { leave: pending.add(keys), ended: null }
          : { leave: null, ended: pending.next(full.key) }
      })
      if (leave !== null) return leave
      await ended
    }
  }

  return async (who, work) => {
    const network = networkOf(who.address)
    const account = failureKeyOf(
      `${keyPrefix}account:${digestOf(`${who.account}\0${network}`)}`,
      limits.account,
    )
    const keys = [account, failureKeyOf(`${keyPrefix}address:${network}`, limits.address)].filter(isLimited)
    const leave = await enter(keys)
    try {
      const outcome = await work()
      if (outcome === null) await counts.add(keys)
      // The count of the network is never reset.
      else if (isLimited(account)) await counts.reset(account)
      return outcome
    } finally {
      leave()
    }
  }
}

function failureKeyOf(key: string, limits: readonly FailureLimit[]): FailureKey {
  const windowMs = Math.max(0, ...limits.map((limit) => limit.windowMs))
  const maxTimes = Math.max(0, ...limits.map(({ maxFailures }) => maxFailures))
  return { key, limits, windowMs, maxTimes }
}

const isLimited = ({ limits }: FailureKey): boolean => limits.length > 0

/** The tries that are running, by key. */
function createPendingTries() {
  const tries = new Map<string, Set<Promise<void>>>()

  function remove(key: string, one: Promise<void>): void {
    const own = tries.get(key)
    own?.delete(one)
    if (own?.size === 0) tries.delete(key)
  }

  return {
    count: (key: string): number => tries.get(key)?.size ?? 0,
    /** Resolves when one of the running tries of the key ends, and at once when none is running. */
    next: async (key: string): Promise<void> => Promise.race(tries.get(key) ?? [Promise.resolve()]),
    /** Returns a function that removes the try. */
    add(keys: readonly FailureKey[]): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      for (const { key } of keys) tries.set(key, (tries.get(key) ?? new Set()).add(promise))
      return () => {
        for (const { key } of keys) remove(key, promise)
        resolve()
      }
    },
  }
}

type KeyFailures = FailureKey & { readonly failedAtMs: readonly number[] }

/** Returns the milliseconds until another try is allowed; 0 when it is allowed now. */
function retryDelayMs({ limits, failedAtMs }: KeyFailures, atMs: number): number {
  const waits = limits.map(
    ({ maxFailures, windowMs }) =>
      (failedAtMs.at(-maxFailures) ?? Number.NEGATIVE_INFINITY) + windowMs - atMs,
  )
  return Math.max(0, ...waits)
}

/** Returns how many more failures the limits allow. */
const remainingTries = ({ limits, failedAtMs }: KeyFailures, atMs: number): number =>
  Math.min(
    ...limits.map(
      ({ maxFailures, windowMs }) =>
        maxFailures - failedAtMs.filter((failedAtMs) => failedAtMs > atMs - windowMs).length,
    ),
  )
