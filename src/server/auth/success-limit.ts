import { AppError } from '../../shared/domain/failure.ts'
import { networkOf } from './network.ts'

/** Lets work happen unless too much of it has succeeded from the same network: then `too-many-tries` at once. */
export type SuccessLimit = <T>(address: string, work: () => Promise<T>) => Promise<T>

type LimitNeeds = { readonly most: number; readonly windowMs: number; readonly nowMs: () => number }

const mostNetworks = 50_000

/** Counts what succeeded; what throws is not counted (security 3.8). Work that is not over holds its place. */
export function createSuccessLimit({ most, windowMs, nowMs }: LimitNeeds): SuccessLimit {
  const places = new Map<string, number[]>()

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

  return async (address, work) => {
    const giveBack = take(networkOf(address))
    try {
      return await work()
    } catch (refusal) {
      giveBack()
      throw refusal
    }
  }
}
