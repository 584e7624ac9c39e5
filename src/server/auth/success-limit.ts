import { AppError } from '../../shared/domain/failure.ts'
import type { Throttles } from '../records/port.ts'
import { networkOf } from './network.ts'

/** Lets work happen unless too much of it has succeeded from the same network: then `too-many-tries` at once. */
export type SuccessLimit = <T>(address: string, work: () => Promise<T>) => Promise<T>

type LimitNeeds = {
  readonly most: number
  readonly windowMs: number
  readonly nowMs: () => number
  readonly throttles: Throttles
  /** Keeps its counts apart from those of others. */
  readonly mark: string
}

const mostNetworks = 50_000

/**
 * Counts what succeeded, beginning with what was counted before a restart; what throws is not counted (security 3.8). Work that is not
 * over holds its place.
 */
export async function createSuccessLimit(needs: LimitNeeds): Promise<SuccessLimit> {
  const { most, windowMs, nowMs, throttles, mark } = needs
  const places = await placesKept(needs)

  function recentOf(network: string): number[] {
    const recent = (places.get(network) ?? []).filter((atMs) => atMs > nowMs() - windowMs)
    if (recent.length === 0) places.delete(network)
    else places.set(network, recent)
    return recent
  }

  function take(network: string): () => void {
    const recent = recentOf(network)
    const [oldest = 0] = recent
    if (recent.length >= most) {
      const retryAfterSeconds = Math.ceil((oldest + windowMs - nowMs()) / 1000)
      throw new AppError('too-many-tries', { retryAfterSeconds })
    }
    if (places.size >= mostNetworks) for (const known of places.keys()) recentOf(known)
    const atMs = nowMs()
    places.set(network, [...recent, atMs])
    return () => {
      const now = places.get(network) ?? []
      places.set(network, now.toSpliced(now.indexOf(atMs), 1))
    }
  }

  /** Coarse on purpose: how many, and when the last of them is forgotten. */
  async function keep(network: string): Promise<void> {
    const recent = recentOf(network)
    const untilMs = (recent.at(-1) ?? 0) + windowMs
    await throttles.save([{ key: mark + network, fails: recent.length, untilMs }])
  }

  return async (address, work) => {
    const network = networkOf(address)
    const giveBack = take(network)
    try {
      const outcome = await work()
      await keep(network)
      return outcome
    } catch (refusal) {
      giveBack()
      throw refusal
    }
  }
}

async function placesKept({ throttles, mark, windowMs }: LimitNeeds): Promise<Map<string, number[]>> {
  const rows = (await throttles.load()).filter(({ key }) => key.startsWith(mark))
  return new Map(
    rows.map(({ key, fails, untilMs }) => [
      key.slice(mark.length),
      Array.from({ length: fails }, () => untilMs - windowMs),
    ]),
  )
}
