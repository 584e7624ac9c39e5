import { AppError } from '../../shared/domain/failure.ts'
import type { ThrottleStore } from '../records/port.ts'
import { networkOf } from './network.ts'

/**
 * Runs the work unless it has already succeeded too often for the same network. In that case it throws `too-many-tries`
 * immediately.
 */
export type SuccessRateLimiter = <T>(address: string, work: () => Promise<T>) => Promise<T>

type SuccessLimitOptions = {
  readonly maxSuccesses: number
  readonly windowMs: number
  readonly nowMs: () => number
  readonly throttles: ThrottleStore
  /** Prefix of the keys in the records, which separates these counts from the counts of other limits. */
  readonly keyPrefix: string
}

const maxNetworks = 50_000

/**
 * Creates a rate limiter that counts successes and continues its counts after a restart (security 3.8). Work that
 * throws is not counted. Running work counts as a success until it has ended.
 */
export async function createSuccessLimit(dependencies: SuccessLimitOptions): Promise<SuccessRateLimiter> {
  const { maxSuccesses, windowMs, nowMs, throttles, keyPrefix } = dependencies
  const successTimes = await loadSuccesses(dependencies)

  function recentOf(network: string): number[] {
    // The clock was ahead when a success of the future was counted. It then counts as one of the present.
    const recent = (successTimes.get(network) ?? [])
      .map((atMs) => Math.min(atMs, nowMs()))
      .filter((atMs) => atMs > nowMs() - windowMs)
    if (recent.length === 0) successTimes.delete(network)
    else successTimes.set(network, recent)
    return recent
  }

  function addSuccess(network: string): () => void {
    const recent = recentOf(network)
    const [oldest = 0] = recent
    if (recent.length >= maxSuccesses) {
      const retryAfterSeconds = Math.ceil((oldest + windowMs - nowMs()) / 1000)
      throw new AppError('too-many-tries', { retryAfterSeconds })
    }
    if (successTimes.size >= maxNetworks) for (const known of successTimes.keys()) recentOf(known)
    const atMs = nowMs()
    successTimes.set(network, [...recent, atMs])
    return () => {
      const now = successTimes.get(network) ?? []
      successTimes.set(network, now.toSpliced(now.indexOf(atMs), 1))
    }
  }

  /** Stores only the number of successes and the time when the last of them expires. This is deliberately coarse. */
  async function saveCount(network: string): Promise<void> {
    const recent = recentOf(network)
    const untilMs = (recent.at(-1) ?? 0) + windowMs
    await throttles.save([{ key: keyPrefix + network, fails: recent.length, untilMs }])
  }

  return async (address, work) => {
    const network = networkOf(address)
    const removeSuccess = addSuccess(network)
    try {
      const outcome = await work()
      await saveCount(network)
      return outcome
    } catch (refusal) {
      removeSuccess()
      throw refusal
    }
  }
}

async function loadSuccesses({
  throttles,
  keyPrefix,
  windowMs,
}: SuccessLimitOptions): Promise<Map<string, number[]>> {
  const rows = (await throttles.load()).filter(({ key }) => key.startsWith(keyPrefix))
  return new Map(
    rows.map(({ key, fails, untilMs }) => [
      key.slice(keyPrefix.length),
      Array.from({ length: fails }, () => untilMs - windowMs),
    ]),
  )
}
