import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import { conflictName } from '../../../shared/domain/names.ts'
import { childOf, nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import type { ByteReservation } from '../../concurrency/byte-budget.ts'
import type { Storage } from '../../storage/port.ts'
import { reserveEntry } from '../reading/packed/archive-memory.ts'

/** The entries that an extraction has created, so that they can be removed again. */
export type CreatedEntries = {
  /**
   * Creates a folder and the missing folders above it, and returns its path. Folders that exist already stay as they are. A
   * folder gets a name with a number when the archive has a file with its name.
   */
  readonly makeFolder: (path: Path) => Promise<Path>
  /** Remembers a file that was created, with its etag. */
  readonly addFile: (path: Path, etag: string) => void
  /** Sets the time of a folder when it was created here. The time is set at the end, because new entries change it. */
  readonly setTime: (path: Path, modifiedMs: number | null) => void
  readonly applyTimes: () => Promise<void>
  /**
   * Removes the files that nobody has changed since they were created, and the folders that are then empty. Files and
   * folders that others have saved, replaced or moved here stay.
   */
  readonly removeAll: () => Promise<void>
}

/**
 * The number of folders that one extraction creates. A path of 4 kB may name a thousand folders, which no quota counts, so that
 * the number of members does not bound them.
 */
const maxFolders = 100_000

export type CreatedEntriesDependencies = {
  readonly storage: Storage
  readonly signal: AbortSignal
  /** Counts what is remembered. */
  readonly memory: ByteReservation
}

/** `top` is the new folder of the extraction, which exists already. */
export function createCreatedEntries(
  { storage, signal, memory }: CreatedEntriesDependencies,
  top: { readonly path: Path; readonly etag: string },
): CreatedEntries {
  const files = new Map<Path, string>()
  /** The folders that exist. The etag is null for those that somebody else has created. */
  const folders = new Map<Path, string | null>([[top.path, top.etag]])
  const times = new Map<Path, number>()
  /** The paths of the folders whose names, or those of the folders above them, were taken. */
  const placed = new Map<Path, Path>()

  const makeOne = createFolderMaker({ storage, signal, memory }, folders)

  async function makeFolder(path: Path): Promise<Path> {
    const known = placed.get(path)
    if (known !== undefined) return known
    if (folders.has(path)) return path
    const parent = await makeFolder(parentOf(path))
    for (let n = 0; ; n += 1) {
      const free = childOf(parent, conflictName(nameOf(path), n))
      if (free === null) throw new AppError('bad-name')
      // A file of the archive, or another folder that has this name because its own was taken.
      if (files.has(free) || (n > 0 && folders.has(free))) continue
      await makeOne(free)
      if (free === path) return path
      reserveEntry(memory, path, free)
      placed.set(path, free)
      return free
    }
  }

  const remove = (path: Path, ifMatch: string): Promise<void> =>
    storage.apply({ kind: 'remove', path, recursive: false, ifMatch, undoes: true }).catch(() => {})

  const deepestFirst = (): (readonly [Path, string])[] =>
    [...folders]
      .flatMap(([path, etag]) => (etag === null ? [] : [[path, etag] as const]))
      .toSorted(([a], [b]) => b.length - a.length)

  return {
    makeFolder,
    addFile(path, etag) {
      // The file exists, so that it must be removed when there is no memory for more of them.
      files.set(path, etag)
      reserveEntry(memory, path, etag)
    },
    setTime(path, modifiedMs) {
      if (modifiedMs === null) return
      reserveEntry(memory)
      times.set(placed.get(path) ?? path, modifiedMs)
    },
    async applyTimes() {
      for (const [path, ifMatch] of deepestFirst()) {
        const modifiedMs = times.get(path)
        if (modifiedMs === undefined) continue
        // A folder that somebody has meanwhile moved away keeps its time.
        await storage.apply({ kind: 'setFolderTime', path, modifiedMs, ifMatch, signal }).catch(() => {})
      }
    },
    async removeAll() {
      for (const [path, etag] of files) await remove(path, etag)
      for (const [path, etag] of deepestFirst()) await remove(path, etag)
    },
  }
}

/** Returns the function that creates one folder, and adds it to the folders that exist, with its etag or null. */
function createFolderMaker(
  { storage, signal, memory }: CreatedEntriesDependencies,
  folders: Map<Path, string | null>,
): (path: Path) => Promise<void> {
  return async (path) => {
    // The folders above count, too.
    if (folders.size >= maxFolders)
      throw new AppError('too-large', { reason: 'the archive has too many folders' })
    reserveEntry(memory, path)
    try {
      folders.set(path, (await storage.apply({ kind: 'makeFolder', path, signal })).etag)
    } catch (error) {
      if (codeOf(error) !== 'name-taken') throw error
      // The call fails unless the existing entry is a folder.
      await storage.apply({ kind: 'makeFolder', path, mayExist: true, signal })
      folders.set(path, null)
    }
  }
}
