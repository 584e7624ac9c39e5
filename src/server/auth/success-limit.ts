import { AppError } from '../../shared/domain/failure.ts'
import { networkOf } from './network.ts'
import type { CountKey, SharedCounts } from './shared-counts.ts'

/**
 * Runs the work unless it has already succeeded too often for the same network. In that case it throws `too-many-tries`
 * immediately.
 */
export type SuccessRateLimiter = <T>(address: string, work: () => Promise<T>) => Promise<T>

type SuccessLimitOptions = {
  readonly maxSuccesses: number
  readonly windowMs: number
  readonly nowMs: () => number
  readonly counts: SharedCounts
  /** Prefix of the keys in the records, which separates these counts from the counts of other limits. */
  readonly keyPrefix: string
}

/**
 * Creates a rate limiter that counts successes, together with the other servers of the state (security 3.8). Work that
 * throws is not counted. Running work counts as a success of this server until it has ended.
 */
export function createSuccessLimit(dependencies: SuccessLimitOptions): SuccessRateLimiter {
  const { maxSuccesses, windowMs, nowMs, counts, keyPrefix } = dependencies
  const running = new Map<string, number>()

  function changeRunning(key: string, difference: number): void {
    const now = (running.get(key) ?? 0) + difference
    if (now === 0) running.delete(key)
    else running.set(key, now)
  }

  /** Registers running work. Throws `too-many-tries` when it could exceed the limit. */
  const enter = async (countKey: CountKey): Promise<void> =>
    counts.decideBy([countKey], ([successes = []]) => {
      const atMs = nowMs()
      const recent = successes.filter((succeededAtMs) => succeededAtMs > atMs - windowMs)
      if (recent.length + (running.get(countKey.key) ?? 0) >= maxSuccesses) {
        const retryAfterSeconds = Math.ceil(((recent[0] ?? atMs) + windowMs - atMs) / 1000)
        throw new AppError('too-many-tries', { retryAfterSeconds })
      }
      changeRunning(countKey.key, 1)
    })

  return async (address, work) => {
    const countKey = { key: keyPrefix + networkOf(address), windowMs, maxTimes: maxSuccesses }
    await enter(countKey)
    let outcome
    let counted
    try {
      outcome = await work()
      counted = counts.add([countKey])
    } finally {
      changeRunning(countKey.key, -1)
    }
    await counted
    return outcome
  }
}
