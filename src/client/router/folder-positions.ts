import { isWithin, namesOf, type Path } from '../../shared/domain/path.ts'
import { entryMemory } from './entry-memory.ts'
import { registerPersonal } from '../state/personal.ts'

/** The user's position in a folder: how far it was scrolled, and the name of the row that had the focus. */
export type FolderPosition = { readonly scrollPx: number; readonly focus: string | null }

/** The scroll position of each folder in pixels, for the next visit from a folder below. */
const scrollPxByFolder = new Map<Path, number>()
/**
 * Maximum number of folders whose position is remembered. Users rarely open more folders in one visit. The oldest
 * positions are evicted first.
 */
const maxFolders = 200
let lastFolder: Path | null = null

/** The position at which a folder is shown first. */
export type StartPosition = FolderPosition & {
  /**
   * True when the row that gets the focus is to be scrolled into view. A row that had the focus in this history entry may
   * have been out of view there, and then it stays so.
   */
  readonly isFocusShown: boolean
}

registerPersonal({
  drop: () => {
    scrollPxByFolder.clear()
    lastFolder = null
  },
})

/**
 * Saves the position in a folder for two cases: the user returns to the history entry, or opens the folder from one of
 * its subfolders.
 */
export function rememberPosition(key: string, folder: Path, { scrollPx, focus }: FolderPosition): void {
  entryMemory.set(key, { scrollPx, ...(focus !== null && { focus }) })
  scrollPxByFolder.delete(folder)
  scrollPxByFolder.set(folder, scrollPx)
  const [oldest] = scrollPxByFolder.keys()
  if (scrollPxByFolder.size > maxFolders && oldest !== undefined) scrollPxByFolder.delete(oldest)
}

/** Records the folder that the user has opened. Returns the previous folder. */
export function recordVisit(to: Path): Path | null {
  const from = lastFolder
  lastFolder = to
  return from
}

/**
 * Returns the initial position in a folder. A position that is saved in the history entry takes precedence. When the
 * user comes from a folder below, the scroll position is the former one, and the entry that leads to that folder has
 * the focus. In all other cases the listing starts at the top.
 */
export function startPositionIn(
  folder: Path,
  { key, from }: { readonly key: string; readonly from: Path | null },
): StartPosition {
  const entry = entryMemory.get(key)
  const child = childTowards(folder, from)
  if (entry.scrollPx !== undefined)
    return {
      scrollPx: entry.scrollPx,
      focus: entry.focus ?? child,
      isFocusShown: entry.focus === undefined,
    }
  const scrollPx = child === null ? 0 : (scrollPxByFolder.get(folder) ?? 0)
  return { scrollPx, focus: child, isFocusShown: true }
}

/**
 * Returns the name of the entry of `folder` that is or contains the folder `from`, or null when `from` is not below
 * `folder`.
 */
const childTowards = (folder: Path, from: Path | null): string | null =>
  from === null || from === folder || !isWithin(from, folder)
    ? null
    : (namesOf(from)[namesOf(folder).length] ?? null)
