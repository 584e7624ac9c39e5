import type { ListingRow, RowStreamHead } from '../../../shared/contract/resources.ts'
import { bytesOf, createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'
import { addNewest } from '../thumbnails/poster-loader.ts'
import { createSlots } from '../thumbnails/request-slots.ts'
import { createEvent, type ClientEvent } from '../../state/event.ts'
import { entryOfRow, type ListedEntry } from '../../state/listed-entry.ts'

/** The content of a folder that its card shows. */
export type Cover = {
  /** The number of files and folders in the folder. */
  readonly items: number
  /** The first files that have a thumbnail, at most four. */
  readonly pictures: readonly ListedEntry[]
}

/** A cover, and the number of changes of its folder that were known when it was requested. */
export type LoadedCover = { readonly cover: Cover; readonly changes: number }

/** Loads the covers of folders, and remembers them for cards that come back on screen. */
export type CoverLoader = {
  /** Loads the cover of a folder. Resolves with null when there is none, and when the signal aborts. */
  readonly load: (request: CoverRequest, signal: AbortSignal) => Promise<Cover | null>
  /** Returns a cover that is in memory, or null. It may be from before the last change of the folder. */
  readonly loadedCover: (request: CoverRequest) => LoadedCover | null
  /** Returns the number of changes of a folder that are known. A cover with a lower number has to be loaded again. */
  readonly changesOf: (path: string) => number
  /** Counts a change of the content of a folder, whose row in a list still has the time of its former change. */
  readonly countChange: (path: string) => void
  /** Happens after a change has been counted. */
  readonly changed: ClientEvent<string>
  readonly clear: () => void
}

/** A version of a folder: its path, and the time of its last change. */
export type CoverRequest = { readonly path: string; readonly modifiedMs: number }

export type CoverDependencies = {
  /** Requests the row stream of a folder. */
  readonly request: (path: string, signal: AbortSignal) => Promise<Response>
  /** Returns true for a file that has a thumbnail. */
  readonly hasPicture: (entry: ListedEntry) => boolean
}

const maxPictures = 4

/** The number of folders that are read at the same time. The server lists each of them. */
const maxConcurrent = 2

/** The number of covers in memory. A cover has four entries of about 200 bytes, so they are about 300 kB. */
const maxCovers = 300

/**
 * The number of rows of a folder that are read. The row stream lists folders first, so a folder with more subfolders has a cover
 * without pictures.
 */
const maxRows = 500

const keyOf = ({ path, modifiedMs }: CoverRequest): string => `${modifiedMs} ${path}`

/** Creates the queue of the covers of a page. Waiting requests are sent in the order in which they were made. */
export function createCoverLoader({ request, hasPicture }: CoverDependencies): CoverLoader {
  const covers = new Map<string, LoadedCover>()
  const changeCounts = new Map<string, number>()
  const changed = createEvent<string>()
  const changesOf = (path: string): number => changeCounts.get(path) ?? 0
  const waitForSlot = createSlots(maxConcurrent)
  return {
    async load(wanted, signal) {
      const release = await waitForSlot(signal)
      if (release === null) return null
      const changes = changesOf(wanted.path)
      try {
        const response = await request(wanted.path, signal)
        const cover = await readCover(response, hasPicture)
        if (cover !== null)
          addNewest(covers, { key: keyOf(wanted), value: { cover, changes }, max: maxCovers })
        return cover
      } catch {
        return null
      } finally {
        release()
      }
    },
    loadedCover: (wanted) => covers.get(keyOf(wanted)) ?? null,
    changesOf,
    countChange: (path) => {
      addNewest(changeCounts, { key: path, value: changesOf(path) + 1, max: maxCovers })
      changed.emit(path)
    },
    changed,
    clear: () => {
      covers.clear()
      changeCounts.clear()
    },
  }
}

/**
 * Reads the number of entries and the first pictures at the beginning of a row stream. Then the rest of the response is
 * cancelled, so that a folder with a million files costs the page no more than a small one.
 */
async function readCover(
  response: Response,
  hasPicture: CoverDependencies['hasPicture'],
): Promise<Cover | null> {
  const lines = createNdjsonReader()
  const pictures: ListedEntry[] = []
  let items: number | null = null
  let rows = 0
  for await (const bytes of bytesOf(response)) {
    for (const value of lines.push(bytes)) {
      if (items === null) {
        const { numDirs, numFiles } = value as RowStreamHead
        items = numDirs + numFiles
        continue
      }
      const entries = (value as readonly ListingRow[]).map(entryOfRow)
      rows += entries.length
      pictures.push(...entries.filter((entry) => !entry.isFolder && hasPicture(entry)))
      if (pictures.length >= maxPictures || rows >= maxRows)
        return { items, pictures: pictures.slice(0, maxPictures) }
    }
  }
  return items === null ? null : { items, pictures }
}
