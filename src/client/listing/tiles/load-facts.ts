import type { Listing } from '../grid/listing.ts'
import { type FolderTakenTimes, takenTimes } from '../taken/taken-times.ts'
import { moveInPlace } from './move-in-place.ts'
import { readFacts } from './read-facts.ts'
import type { PlacingMode } from './tile-layout.ts'
import { knowsFirstTiles, placeTiles } from './tile-rows.ts'

/**
 * The time for which the tiles of a gallery are not visible after its rows are complete, in milliseconds, unless the proportions of those on
 * the first two screens come earlier. A server that has read the pictures before sends them at once. A hard disk takes about 10 ms for each
 * picture when a folder is opened for the first time; thumbnails take longer then.
 */
const holdMs = 800

/**
 * The numbers of folders and of pictures that are remembered. The limit of pictures is for all folders together: a picture has about 160
 * bytes with its name, so they take about 16 MB.
 */
const maxFolders = 20
const maxPictures = 100_000

type FactsRequest = {
  /** The key under which the facts are remembered: the path of the folder. */
  readonly key: string
  readonly listing: Listing
  /** The way in which the tiles are placed when all facts have come: tiles on screen move unless this is their first time. */
  readonly mode: PlacingMode
  /** The response with the times and sizes. Rejects when the server refuses them. */
  readonly response: Promise<Response>
  /** The version of the files for which the facts are requested, of `versionOfFiles`. */
  readonly version: number
}

/** Reads the facts of a folder, and lays out its tiles: first with those that come in time, and then with all. */
export async function loadFacts(
  { key, listing, version, mode, response }: FactsRequest,
  signal: AbortSignal,
): Promise<void> {
  const facts = { times: new Map<string, number>(), proportions: new Map<string, number>() }
  const show = (): void => {
    if (!signal.aborted && listing.tiles.get() === null) placeTiles(listing, facts.proportions, 'in place')
  }
  const hold = setTimeout(show, holdMs)
  try {
    await readFacts(facts, await response, () => {
      if (listing.tiles.get() === null && knowsFirstTiles(listing, facts.proportions)) show()
    })
    if (signal.aborted) return
    moveInPlace(listing, () => {
      remember(key, { ...facts, version })
      placeTiles(listing, facts.proportions, mode)
    })
  } finally {
    clearTimeout(hold)
    show()
  }
}

const picturesOf = ({ times, proportions }: FolderTakenTimes): number =>
  Math.max(times.size, proportions.size)

function remember(key: string, folder: FolderTakenTimes): void {
  const folders = new Map(takenTimes.get())
  folders.delete(key)
  folders.set(key, folder)
  let count = 0
  for (const known of folders.values()) count += picturesOf(known)
  for (const [oldest, known] of folders) {
    if (folders.size === 1 || (folders.size <= maxFolders && count <= maxPictures)) break
    folders.delete(oldest)
    count -= picturesOf(known)
  }
  takenTimes.set(folders)
}
