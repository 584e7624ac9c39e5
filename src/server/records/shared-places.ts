import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Path } from '../../shared/domain/path.ts'
import { isSameDisk } from '../../shared/domain/mounted-disk.ts'
import type { SharedPlace, SharedPlaceCursor, SharedPlacePage, ShareStore } from './port.ts'

/**
 * Yields the places of the shares of an entry and of entries below it, including expired shares. Each place of several
 * shares is yielded once, unless links with other disks are between them. One page is in memory. Other requests get their turn between two pages.
 */
export async function* placesWithin(
  shares: Pick<ShareStore, 'sharedPlaces'>,
  within: Path,
): AsyncGenerator<SharedPlace, void> {
  let after: SharedPlaceCursor | null = null
  let last: SharedPlace | null = null
  for (;;) {
    const { places, next }: SharedPlacePage = await shares.sharedPlaces(within, after)
    for (const place of places) {
      if (last?.path !== place.path || !isSameDisk(last.disk, place.disk)) yield place
      last = place
    }
    if (next === null) return
    after = next
    await nextTurn()
  }
}
