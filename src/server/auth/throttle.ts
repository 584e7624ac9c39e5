import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { ThrottleRow, ThrottleStore } from '../records/port.ts'
import { networkOf } from './network.ts'
import { digestOf } from './tokens.ts'

/** The account and the client address whose tries are counted together. */
export type ThrottleSubject = { readonly account: string; readonly address: string }

/**
 * Runs the work, such as a password check, unless too many tries have failed. In that case it throws `too-many-tries`
 * immediately. The work returns null for a failed try. An exception counts neither as success nor as failure.
 */
export type Throttle = <T>(who: ThrottleSubject, work: () => Promise<T | null>) => Promise<T | null>

type FailureLimit = { readonly maxFailures: number; readonly windowMs: number }

/**
 * Maximum number of failures in a time window, per account and network and per network alone. The limit with the
 * longest window comes last.
 */
export type ThrottleLimits = {
  readonly account: readonly FailureLimit[]
  readonly address: readonly FailureLimit[]
}

/** The failures that count towards a limit, and the tries that are still running. */
type FailureCount = {
  readonly key: string
  readonly limits: readonly FailureLimit[]
  failedAtMs: readonly number[]
  readonly pending: Set<Promise<void>>
}

const hourMs = 60 * 60 * 1000
/** The limits for logins (security 3.8). */
const loginLimits: ThrottleLimits = {
  account: [
    { maxFailures: 5, windowMs: 60_000 },
    { maxFailures: 30, windowMs: hourMs },
  ],
  address: [{ maxFailures: 20, windowMs: 60_000 }],
}
const maxCounts = 50_000

type ThrottleOptions = {
  readonly throttles: ThrottleStore
  readonly nowMs: () => number
  /** Defaults to the limits for logins. */
  readonly limits?: ThrottleLimits
  /**
   * Prefix of the keys in the records, which separates these counts from the counts of other throttles. Empty for
   * logins.
   */
  readonly keyPrefix?: string
}

/** Creates a throttle that counts failed tries and continues its counts after a restart. */
export async function createThrottle(dependencies: ThrottleOptions): Promise<Throttle> {
  const { throttles, nowMs, limits = loginLimits, keyPrefix = '' } = dependencies
  const [accountPrefix, addressPrefix] = [`${keyPrefix}account:`, `${keyPrefix}address:`]
  const limitsOf = (key: string): readonly FailureLimit[] =>
    key.startsWith(accountPrefix) ? limits.account : limits.address
  const counts = new Map<string, FailureCount>()
  for (const row of await throttles.load()) {
    const isOurs = row.key.startsWith(accountPrefix) || row.key.startsWith(addressPrefix)
    if (isOurs) counts.set(row.key, countOfRow(row, limitsOf(row.key)))
  }

  function countOf(key: string): FailureCount {
    const known = counts.get(key)
    if (known) return known
    if (counts.size >= maxCounts) evictCounts(counts, nowMs())
    const count: FailureCount = { key, limits: limitsOf(key), failedAtMs: [], pending: new Set() }
    counts.set(key, count)
    return count
  }

  /**
   * Registers a running try and returns a function that unregisters it. A try that might exceed a limit waits until a
   * running try ends, because only failures count.
   */
  async function enter(both: readonly FailureCount[]): Promise<() => void> {
    for (;;) {
      for (const count of both) forgetFuture(count, nowMs())
      const waitMs = Math.max(...both.map((count) => retryDelayMs(count, nowMs())))
      if (waitMs > 0) throw new AppError('too-many-tries', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      const full = both.find((count) => remainingTries(count, nowMs()) <= count.pending.size)
      // There is no `await` between the check and the registration, so that two tries cannot take the same last slot.
      if (!full) return addPendingTry(both)
      await Promise.race(full.pending)
    }
  }

  /** Stores the counts. On a full disk they are kept in memory only, because logins must stay possible. */
  async function save(changed: readonly FailureCount[]): Promise<void> {
    try {
      await throttles.save(changed.map(rowOf))
    } catch (error) {
      if (codeOf(error) !== 'no-space') throw error
    }
  }

  async function noteFailure(both: readonly FailureCount[]): Promise<void> {
    const atMs = nowMs()
    for (const count of both.filter(isLimited)) count.failedAtMs = [...recent(count, atMs), atMs]
    await save(both.filter(isLimited))
  }

  /** Resets the count of the account. The count of the network is never reset. */
  async function noteSuccess(account: FailureCount): Promise<void> {
    if (account.failedAtMs.length === 0) return
    account.failedAtMs = []
    await save([account])
  }

  return async (who, work) => {
    const network = networkOf(who.address)
    const account = countOf(accountPrefix + digestOf(`${who.account}\0${network}`))
    const both = [account, countOf(addressPrefix + network)]
    const leave = await enter(both)
    try {
      const outcome = await work()
      await (outcome === null ? noteFailure(both) : noteSuccess(account))
      return outcome
    } finally {
      leave()
    }
  }
}

function addPendingTry(both: readonly FailureCount[]): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const { pending } of both) pending.add(promise)
  return () => {
    for (const { pending } of both) pending.delete(promise)
    resolve()
  }
}

/**
 * Moves failures of the future to the present. The clock was ahead when they were counted, and a limit must not last
 * longer than its window.
 */
function forgetFuture(count: FailureCount, atMs: number): void {
  if (count.failedAtMs.some((failedAtMs) => failedAtMs > atMs))
    count.failedAtMs = count.failedAtMs.map((failedAtMs) => Math.min(failedAtMs, atMs))
}

const longestWindowOf = ({ limits }: Pick<FailureCount, 'limits'>): number => limits.at(-1)?.windowMs ?? 0

const recent = (count: FailureCount, atMs: number): readonly number[] =>
  count.failedAtMs.filter((failedAtMs) => failedAtMs > atMs - longestWindowOf(count))

const isLimited = ({ limits }: FailureCount): boolean => limits.length > 0

/** Returns the milliseconds until another try is allowed; 0 when it is allowed now. */
function retryDelayMs({ limits, failedAtMs }: FailureCount, atMs: number): number {
  const waits = limits.map(
    ({ maxFailures, windowMs }) =>
      (failedAtMs.at(-maxFailures) ?? Number.NEGATIVE_INFINITY) + windowMs - atMs,
  )
  return Math.max(0, ...waits)
}

/** Returns how many more failures the limits allow. */
const remainingTries = ({ limits, failedAtMs }: FailureCount, atMs: number): number =>
  Math.min(
    ...limits.map(
      ({ maxFailures, windowMs }) =>
        maxFailures - failedAtMs.filter((failedAtMs) => failedAtMs > atMs - windowMs).length,
    ),
  )

/**
 * Returns the record of a count: the number of failures and the time when the last failure expires. The times of the
 * earlier failures are deliberately not stored.
 */
const rowOf = (count: FailureCount): ThrottleRow => ({
  key: count.key,
  fails: count.failedAtMs.length,
  untilMs: (count.failedAtMs.at(-1) ?? 0) + longestWindowOf(count),
})

function countOfRow({ key, fails, untilMs }: ThrottleRow, limits: readonly FailureLimit[]): FailureCount {
  const lastAtMs = untilMs - longestWindowOf({ limits })
  return { key, limits, failedAtMs: Array.from({ length: fails }, () => lastAtMs), pending: new Set() }
}

/**
 * Evicts the counts whose failures have all expired or, if there are none, the oldest tenth. Counts with running tries
 * stay.
 */
function evictCounts(counts: Map<string, FailureCount>, atMs: number): void {
  const idle = [...counts.values()].filter(({ pending }) => pending.size === 0)
  const over = idle.filter((count) => recent(count, atMs).length === 0)
  for (const { key } of over.length > 0 ? over : idle.slice(0, maxCounts / 10)) counts.delete(key)
}
