import { createHash } from 'node:crypto'
import { AppError } from '../../shared/domain/failure.ts'
import type { ThrottleRow, Throttles } from '../records/port.ts'
import { networkOf } from './network.ts'

/** Whose tries are counted together. */
export type Who = { readonly account: string; readonly address: string }

/**
 * Lets a try happen unless too many failed before: then `too-many-tries` at once, without work. The work gives null when it failed.
 * What it throws counts neither way.
 */
export type Throttle = <T>(who: Who, work: () => Promise<T | null>) => Promise<T | null>

type Limit = { readonly most: number; readonly windowMs: number }

/** How many failures are let pass: of one account at one address, and of one address. The longest window comes last. */
export type ThrottleLimits = { readonly account: readonly Limit[]; readonly address: readonly Limit[] }

/** Failures that count, and tries that are not over. */
type Count = {
  readonly key: string
  readonly limits: readonly Limit[]
  failedAtMs: readonly number[]
  readonly pending: Set<Promise<void>>
}

const hourMs = 60 * 60 * 1000
/** Security 3.8. */
const loginLimits: ThrottleLimits = {
  account: [
    { most: 5, windowMs: 60_000 },
    { most: 30, windowMs: hourMs },
  ],
  address: [{ most: 20, windowMs: 60_000 }],
}
const mostCounts = 50_000

type ThrottleNeeds = {
  readonly throttles: Throttles
  readonly nowMs: () => number
  /** Those of logins when left out. */
  readonly limits?: ThrottleLimits
  /** Keeps its counts apart from those of other throttles; empty for logins. */
  readonly mark?: string
}

/** Counts failed tries, beginning with what was counted before a restart. */
export async function createThrottle(needs: ThrottleNeeds): Promise<Throttle> {
  const { throttles, nowMs, limits = loginLimits, mark = '' } = needs
  const [accountMark, addressMark] = [`${mark}account:`, `${mark}address:`]
  const limitsOf = (key: string): readonly Limit[] =>
    key.startsWith(accountMark) ? limits.account : limits.address
  const counts = new Map<string, Count>()
  for (const row of await throttles.load()) {
    const isOurs = row.key.startsWith(accountMark) || row.key.startsWith(addressMark)
    if (isOurs) counts.set(row.key, countOfRow(row, limitsOf(row.key)))
  }

  function countOf(key: string): Count {
    const known = counts.get(key)
    if (known) return known
    if (counts.size >= mostCounts) forgetSome(counts, nowMs())
    const count: Count = { key, limits: limitsOf(key), failedAtMs: [], pending: new Set() }
    counts.set(key, count)
    return count
  }

  /**
   * Takes a place among the tries that are not over, and gives back how to leave it. Those that could be one too many wait for the ones
   * before them, since only failures count.
   */
  async function enter(both: readonly Count[]): Promise<() => void> {
    for (;;) {
      const waitMs = Math.max(...both.map((count) => waitOf(count, nowMs())))
      if (waitMs > 0) throw new AppError('too-many-tries', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      const full = both.find((count) => roomOf(count, nowMs()) <= count.pending.size)
      // seen and taken without a pause between, so that no two take the last place
      if (!full) return take(both)
      await Promise.race(full.pending)
    }
  }

  async function noteFailure(both: readonly Count[]): Promise<void> {
    const atMs = nowMs()
    for (const count of both.filter(isLimited)) count.failedAtMs = [...recent(count, atMs), atMs]
    await throttles.save(both.filter(isLimited).map(rowOf))
  }

  /** The account's own count begins anew; the address's never does. */
  async function noteSuccess(account: Count): Promise<void> {
    if (account.failedAtMs.length === 0) return
    account.failedAtMs = []
    await throttles.save([rowOf(account)])
  }

  return async (who, work) => {
    const network = networkOf(who.address)
    const account = countOf(accountMark + digestOf(`${who.account}\0${network}`))
    const both = [account, countOf(addressMark + network)]
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

function take(both: readonly Count[]): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const { pending } of both) pending.add(promise)
  return () => {
    for (const { pending } of both) pending.delete(promise)
    resolve()
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

const longestWindowOf = ({ limits }: Pick<Count, 'limits'>): number => limits.at(-1)?.windowMs ?? 0

const recent = (count: Count, atMs: number): readonly number[] =>
  count.failedAtMs.filter((failedAtMs) => failedAtMs > atMs - longestWindowOf(count))

const isLimited = ({ limits }: Count): boolean => limits.length > 0

/** How long until another try may be made; 0 when it may be made now. */
function waitOf({ limits, failedAtMs }: Count, atMs: number): number {
  const waits = limits.map(
    ({ most, windowMs }) => (failedAtMs.at(-most) ?? Number.NEGATIVE_INFINITY) + windowMs - atMs,
  )
  return Math.max(0, ...waits)
}

/** How many failures are left. */
const roomOf = ({ limits, failedAtMs }: Count, atMs: number): number =>
  Math.min(
    ...limits.map(
      ({ most, windowMs }) => most - failedAtMs.filter((failedAtMs) => failedAtMs > atMs - windowMs).length,
    ),
  )

/** Coarse on purpose: how many, and when the last of them is forgotten. */
const rowOf = (count: Count): ThrottleRow => ({
  key: count.key,
  fails: count.failedAtMs.length,
  untilMs: (count.failedAtMs.at(-1) ?? 0) + longestWindowOf(count),
})

function countOfRow({ key, fails, untilMs }: ThrottleRow, limits: readonly Limit[]): Count {
  const lastAtMs = untilMs - longestWindowOf({ limits })
  return { key, limits, failedAtMs: Array.from({ length: fails }, () => lastAtMs), pending: new Set() }
}

/** Those that no longer count, and if they are too few the oldest. */
function forgetSome(counts: Map<string, Count>, atMs: number): void {
  const idle = [...counts.values()].filter(({ pending }) => pending.size === 0)
  const over = idle.filter((count) => recent(count, atMs).length === 0)
  for (const { key } of over.length > 0 ? over : idle.slice(0, mostCounts / 10)) counts.delete(key)
}
