import { createHash } from 'node:crypto'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import { entryFlag, type EntryPage, type Storage } from '../storage/port.ts'

/**
 * Folders with more entries than this are compared by their own tag alone, which changes when entries come and go. The
 * sizes and times of that many entries are cheap to read again, also over a network.
 */
const maxListedEntries = 1000

/**
 * Returns the sum of the sizes in bytes and of the times in whole milliseconds of all entries that are not folders. It grows
 * when a file grows, which leaves the time of the folder as it is. Returns null for a folder that is large or cannot be read.
 */
export async function sumOfSizesAndTimes(storage: Storage, path: Path): Promise<number | null> {
  const ending = new AbortController()
  try {
    const { total, pages } = await storage.list(path, {
      order: { by: 'name', descending: false, folders: 'first' },
      signal: ending.signal,
    })
    if (total > maxListedEntries) return null
    let sum = 0
    for await (const page of pages) sum += sumOfPage(page)
    return sum
  } catch {
    return null
  } finally {
    ending.abort()
  }
}

const sumOfPage = ({ names, flags, sizesBytes, modifiedMs }: EntryPage): number =>
  names.reduce((sum, _name, row) => {
    const isFolder = ((flags[row] ?? 0) & entryFlag.folder) !== 0
    return isFolder ? sum : sum + (sizesBytes[row] ?? 0) + Math.floor(modifiedMs[row] ?? 0)
  }, 0)

/** The fingerprint of a path that leads to no folder that the user can reach. */
export const absent = 'absent'

/**
 * Returns a text that changes with a folder's entries, `absent` when there is no folder at the path, or null when the
 * folder cannot be read at the moment.
 */
export async function fingerprintOf(storage: Storage, path: Path): Promise<string | null> {
  // Ends the listing of a folder with too many entries, which would otherwise wait for its pages to be read.
  const ending = new AbortController()
  try {
    const { folder, total, pages } = await storage.list(path, {
      order: { by: 'name', descending: false, folders: 'first' },
      signal: ending.signal,
    })
    if (total > maxListedEntries) return folder.etag
    const hash = createHash('sha1').update(folder.etag)
    for await (const { names, sizesBytes, modifiedMs } of pages)
      hash.update(JSON.stringify(names)).update(sizesBytes).update(modifiedMs)
    return hash.digest('hex')
  } catch (error) {
    return ['not-found', 'not-a-folder'].includes(codeOf(error)) ? absent : null
  } finally {
    ending.abort()
  }
}
