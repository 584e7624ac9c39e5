import type { Path } from '../../../shared/domain/path.ts'
import type { FilePlacement } from '../../storage/change.ts'
import { createSpaceTaker, type SpaceLimit, type SpaceTakerContext } from './space-taker.ts'

/**
 * Space reserved for bytes that are being stored. The caller that opens a reservation must end it with `keep` or
 * `release`.
 */
export type SpaceReservation = {
  /**
   * Reserves space for a file of this size, which replaces the size reserved before. Throws `over-quota` when a scan that
   * started after this call shows that the file does not fit.
   */
  claim(sizeBytes: number, limit: SpaceLimit): Promise<void>
  /** Counts bytes that have arrived, in total. Throws `over-quota` as `claim` does. */
  arrive(arrivedBytes: number, limit: SpaceLimit): Promise<void>
  /**
   * Enlarges the reservation of a copy by up to `maxBytes` bytes, as far as there is space. Returns the number of bytes by
   * which the copy may enlarge the scope in total, whatever stands at its destination in the end.
   */
  enlarge(maxBytes: number, limit: SpaceLimit): Promise<number>
  /**
   * Decides at the last moment before a file appears whether it fits, from its own size and that of the file that it
   * replaces. Throws `over-quota` as `claim` does.
   */
  settle(placement: FilePlacement, limit: SpaceLimit): Promise<void>
  /** Assigns the reservation to an upload in parts, which another process may continue or end. */
  assignTo(token: string): void
  /** Notes that a part of the upload has ended. Another process may receive the next one. */
  rest(): void
  /** Ends the reservation and counts `sizeBytes` stored bytes as used, by default the reserved number of bytes. */
  keep(sizeBytes?: number): void
  /** Ends the reservation without counting any bytes, because none were stored. */
  release(): void
}

/** The scopes of a reservation, and what is stored in them. */
export type ReservationContext = SpaceTakerContext & {
  /** Reads the usages of all scopes that contain the claim. */
  readonly readUsages: () => Promise<void>
  /** Returns the size in bytes of the file that the claim will replace, as far as is known now. */
  readonly existingBytesAt: (path: Path) => Promise<number>
  /** True when no file exists at the path, so that no bytes are replaced. */
  readonly isNew: boolean
  readonly onAssign: (token: string) => void
  readonly onEnd: () => void
}

export function createReservation(context: ReservationContext): SpaceReservation {
  const { claim, usage, usages, ledger, readUsages } = context
  const { counter } = usage
  const taker = createSpaceTaker(context)
  let isExistingSizeKnown = context.isNew
  /** The functions to call when bytes are no longer being removed. */
  const removals: (() => void)[] = []

  /** Makes the records say that bytes may be removed. If this server is killed, the scopes are scanned. */
  async function beginRemoval(): Promise<void> {
    removals.push(...(await Promise.all(usages().map(({ counter: one }) => one.beginMove()))))
  }

  function end(): void {
    for (const endRemoval of removals.splice(0)) endRemoval()
    context.onEnd()
  }

  return {
    async claim(sizeBytes, limit) {
      if (!isExistingSizeKnown) taker.trackAll(await context.existingBytesAt(claim.path))
      isExistingSizeKnown = true
      // The usage is read when the file is settled, and before it is refused.
      if (!counter.isExact()) await readUsages()
      await counter.refresh(limit.signal)
      await taker.take({ sizeBytes, isSettled: false, isIdle: false }, limit)
    },
    async arrive(arrivedBytes, limit) {
      await taker.take({ sizeBytes: Math.max(claim.sizeBytes, arrivedBytes), arrivedBytes }, limit)
    },
    async enlarge(maxBytes, limit) {
      await readUsages()
      return taker.enlarge(maxBytes, limit)
    },
    async settle({ sizeBytes, replacedBytes }, limit) {
      isExistingSizeKnown = true
      await readUsages()
      await counter.refresh(limit.signal)
      const existingBytes = await replacedBytes()
      const settled = { sizeBytes, arrivedBytes: sizeBytes, isSettled: true, isIdle: false }
      await taker.take(settled, limit, () => taker.trackAll(existingBytes))
      if (sizeBytes < existingBytes) await beginRemoval()
    },
    assignTo: context.onAssign,
    rest() {
      claim.isIdle = true
      for (const one of usages()) ledger.touch(one.counter.account)
    },
    keep(sizeBytes = claim.sizeBytes) {
      claim.sizeBytes = sizeBytes
      for (const one of usages()) one.keep(claim)
      end()
    },
    release() {
      for (const one of usages()) one.drop(claim)
      end()
    },
  }
}
