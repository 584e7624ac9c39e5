import { isWithin, namesOf, type Path } from '../../shared/domain/path.ts'
import { entryMemory } from './entry-memory.ts'
import { registerPersonal } from '../state/personal.ts'
import type { ScrolledTo } from '../state/scrolled-to.ts'

/** The user's position in a folder, with the name of the row that had the focus. */
export type FolderPosition = ScrolledTo & { readonly focus: string | null }

/** The position in each folder, for the next visit from a folder or file below. */
const positionByFolder = new Map<Path, FolderPosition>()
/**
 * Maximum number of folders whose position is remembered. Users rarely open more folders in one visit. The oldest
 * positions are evicted first.
 */
const maxFolders = 200
let lastFolder: Path | null = null

/** The position at which a folder is shown first. */
export type StartPosition = FolderPosition & {
  /**
   * Tells when the list scrolls to the row that gets the focus. The row of a file or folder that was opened from the list stays where it
   * was, perhaps cut off at the edge of the view. It is out of view only after the size of the window or the order of the rows has
   * changed meanwhile. A row that had the focus in this history entry may have been out of view there, and stays so.
   */
  readonly scrollsToFocus: 'always' | 'if-out-of-view' | 'never'
}

registerPersonal({
  drop: () => {
    positionByFolder.clear()
    lastFolder = null
  },
})

/**
 * Saves the position in a folder for two cases: the user returns to the history entry, or opens the folder from one of
 * its subfolders.
 */
export function rememberPosition(key: string, folder: Path, position: FolderPosition): void {
  const { focus, scrollPx, topRow } = position
  entryMemory.set(key, { scrollPx, topRow, ...(focus !== null && { focus }) })
  positionByFolder.delete(folder)
  positionByFolder.set(folder, position)
  const [oldest] = positionByFolder.keys()
  if (positionByFolder.size > maxFolders && oldest !== undefined) positionByFolder.delete(oldest)
}

/** Records the folder that the user has opened. Returns the previous folder. */
export function recordVisit(to: Path): Path | null {
  const from = lastFolder
  lastFolder = to
  return from
}

/**
 * Returns the initial position in a folder. A position that is saved in the history entry takes precedence. When the
 * user comes from a folder or file below, the scroll position is the former one, and the entry that leads there has the
 * focus. In all other cases the listing starts at the top.
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
      topRow: entry.topRow,
      focus: entry.focus ?? child,
      scrollsToFocus: entry.focus === undefined ? 'always' : 'never',
    }
  const left = child === null ? undefined : positionByFolder.get(folder)
  const scrollsToFocus = child === left?.focus ? 'if-out-of-view' : 'always'
  return { scrollPx: 0, ...left, focus: child, scrollsToFocus }
}

/**
 * Returns the name of the entry of `folder` that is or contains the folder `from`, or null when `from` is not below
 * `folder`.
 */
const childTowards = (folder: Path, from: Path | null): string | null =>
  from === null || from === folder || !isWithin(from, folder)
    ? null
    : (namesOf(from)[namesOf(folder).length] ?? null)
