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

/** Failures that count, and tries that are not over. */
type Count = {
  readonly key: string
  readonly limits: readonly Limit[]
  failedAtMs: readonly number[]
  readonly pending: Set<Promise<void>>
}

const hourMs = 60 * 60 * 1000
/** Security 3.8. The longest window comes last. */
const accountLimits: readonly Limit[] = [
  { most: 5, windowMs: 60_000 },
  { most: 30, windowMs: hourMs },
]
const addressLimits: readonly Limit[] = [{ most: 20, windowMs: 60_000 }]
const mostCounts = 50_000
const accountMark = 'account:'

type ThrottleNeeds = { readonly throttles: Throttles; readonly nowMs: () => number }

/** Counts failed logins, beginning with what was counted before a restart. */
export async function createThrottle({ throttles, nowMs }: ThrottleNeeds): Promise<Throttle> {
  const counts = new Map<string, Count>()
  for (const row of await throttles.load()) counts.set(row.key, countOfRow(row))

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
    for (const count of both) count.failedAtMs = [...recent(count, atMs), atMs]
    await throttles.save(both.map(rowOf))
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
    const both = [account, countOf(`address:${network}`)]
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

const limitsOf = (key: string): readonly Limit[] =>
  key.startsWith(accountMark) ? accountLimits : addressLimits

const longestWindowOf = ({ limits }: Pick<Count, 'limits'>): number => limits.at(-1)?.windowMs ?? 0

const recent = (count: Count, atMs: number): readonly number[] =>
  count.failedAtMs.filter((failedAtMs) => failedAtMs > atMs - longestWindowOf(count))

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

function countOfRow({ key, fails, untilMs }: ThrottleRow): Count {
  const limits = limitsOf(key)
  const lastAtMs = untilMs - longestWindowOf({ limits })
  return { key, limits, failedAtMs: Array.from({ length: fails }, () => lastAtMs), pending: new Set() }
}

/** Those that no longer count, and if they are too few the oldest. */
function forgetSome(counts: Map<string, Count>, atMs: number): void {
  const idle = [...counts.values()].filter(({ pending }) => pending.size === 0)
  const over = idle.filter((count) => recent(count, atMs).length === 0)
  for (const { key } of over.length > 0 ? over : idle.slice(0, mostCounts / 10)) counts.delete(key)
}
