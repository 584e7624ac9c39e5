import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Path } from '../../../shared/domain/path.ts'
import type { SharedPlace, ShareStore } from '../port.ts'

/**
 * Yields the places of the shares of an entry and of entries below it, including expired shares. One page of them is in
 * memory. Other requests get their turn between two pages.
 */
export async function* placesWithin(
  shares: Pick<ShareStore, 'sharedPlaces'>,
  within: Path,
): AsyncGenerator<SharedPlace, void> {
  let after: string | undefined
  for (;;) {
    const { places, next } = await shares.sharedPlaces(within, after)
    yield* places
    if (next === null) return
    after = next
    await nextTurn()
  }
}
