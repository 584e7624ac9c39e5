import { AppError } from '../../../shared/domain/failure.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { FilePlacement } from '../../storage/change.ts'
import type { ScopeUsage, SpaceClaim } from './scope-usage.ts'

/**
 * Maximum number of scans before space is refused. Without a maximum, concurrent changes that make every scan inexact
 * would cause endless scans.
 */
const maxScans = 3

/**
 * Space reserved for bytes that are being stored. The caller that opens a reservation must end it with `keep` or
 * `release`.
 */
export type SpaceReservation = {
  /**
   * Reserves space for a file of this size, which replaces the size reserved before. Throws `no-space` when a scan that
   * started after this call shows that the file does not fit.
   */
  claim(sizeBytes: number, quotaBytes: number): Promise<void>
  /** Counts bytes that have arrived, in total. Throws `no-space` as `claim` does. */
  arrive(arrivedBytes: number, quotaBytes: number): Promise<void>
  /**
   * Enlarges the reservation of a copy by up to `maxBytes` bytes, as far as there is space. Returns the number of bytes by
   * which the copy may enlarge the scope in total, whatever stands at its destination in the end.
   */
  enlarge(maxBytes: number, quotaBytes: number): number
  /**
   * Decides at the last moment before a file appears whether it fits, from its own size and that of the file that it
   * replaces. Throws `no-space` as `claim` does.
   */
  settle(placement: FilePlacement, quotaBytes: number): Promise<void>
  /** Assigns the reservation to an upload in parts, which another process may continue or end. */
  assignTo(token: string): void
  /** Ends the reservation and counts `sizeBytes` stored bytes as used, by default the reserved number of bytes. */
  keep(sizeBytes?: number): void
  /** Ends the reservation without counting any bytes, because none were stored. */
  release(): void
}

/** The scopes of a reservation, and what is stored in them. */
export type ReservationContext = {
  readonly claim: SpaceClaim
  /** The usage of the scope whose quota limits the claim. */
  readonly usage: ScopeUsage
  /** Returns the usages of all tracked scopes that contain the claim, among them `usage`. */
  readonly usages: () => readonly ScopeUsage[]
  /** An earlier claim of the same upload. It is not counted, because it ends as soon as the new one begins. */
  readonly replaces: SpaceClaim | null
  /** Returns the size in bytes of the file that the claim will replace, as far as is known now. */
  readonly existingBytesAt: (path: Path) => Promise<number>
  /** True when no file exists at the path, so that no bytes are replaced. */
  readonly isNew: boolean
  readonly onAssign: (token: string) => void
  readonly onEnd: () => void
}

export function createReservation(context: ReservationContext): SpaceReservation {
  const { claim, usage, usages, replaces } = context
  const { counter } = usage
  let isExistingSizeKnown = context.isNew

  const fits = (sizeBytes: number, quotaBytes: number): boolean => {
    const growth = usage.growthOf(claim, sizeBytes)
    return growth === 0 || growth <= usage.freeBytes(quotaBytes, claim, replaces)
  }

  const trackAll = (existingBytes: number): void => {
    for (const one of usages()) one.track(claim, existingBytes)
  }

  /**
   * Changes the claim as soon as it fits, in the same step. `prepare` is called before each attempt, because the scan
   * between two attempts also changes the size that counts as replaced.
   */
  async function take(
    next: Partial<SpaceClaim> & Pick<SpaceClaim, 'sizeBytes'>,
    quotaBytes: number,
    prepare = (): void => {},
  ): Promise<void> {
    for (let scans = 0; ; scans += 1) {
      prepare()
      if (fits(next.sizeBytes, quotaBytes)) return void Object.assign(claim, next)
      if (scans >= maxScans || (scans > 0 && counter.isExact())) throw overQuota()
      await counter.rescan()
    }
  }

  return {
    async claim(sizeBytes, quotaBytes) {
      if (!isExistingSizeKnown) trackAll(await context.existingBytesAt(claim.path))
      isExistingSizeKnown = true
      await counter.refresh()
      await take({ sizeBytes, isSettled: false }, quotaBytes)
    },
    async arrive(arrivedBytes, quotaBytes) {
      await take({ sizeBytes: Math.max(claim.sizeBytes, arrivedBytes), arrivedBytes }, quotaBytes)
    },
    enlarge(maxBytes, quotaBytes) {
      const growth = usage.growthOf(claim, claim.sizeBytes)
      const freeBytes = usage.freeBytes(quotaBytes, claim, replaces) - growth
      const maxGrowth = growth + Math.max(0, Math.min(maxBytes, freeBytes))
      const sizeBytes = usage.existingBytes(claim) + maxGrowth
      Object.assign(claim, { sizeBytes, arrivedBytes: sizeBytes, isSettled: true })
      return maxGrowth
    },
    async settle({ sizeBytes, replacedBytes }, quotaBytes) {
      isExistingSizeKnown = true
      await counter.refresh()
      const existingBytes = await replacedBytes()
      const settled = { sizeBytes, arrivedBytes: sizeBytes, isSettled: true }
      await take(settled, quotaBytes, () => trackAll(existingBytes))
    },
    assignTo: context.onAssign,
    keep(sizeBytes = claim.sizeBytes) {
      claim.sizeBytes = sizeBytes
      for (const one of usages()) one.keep(claim)
      context.onEnd()
    },
    release() {
      for (const one of usages()) one.drop(claim)
      context.onEnd()
    },
  }
}

const overQuota = (): AppError => new AppError('no-space', { reason: 'the quota is used up' })
