import { isWithin, namesOf, type Path } from '../../../shared/domain/path.ts'
import { entryMemory } from '../../router/entry-memory.ts'
import { registerPersonal } from '../../state/personal.ts'

/** The user's position in a folder: how far it was scrolled, and the name of the row that had the focus. */
export type FolderPosition = { readonly scrollPx: number; readonly focus: string | null }

const byFolder = new Map<Path, FolderPosition>()
/** Positions of more folders than this are forgotten, the oldest first. Nobody goes through so many in one visit. */
const maxFolders = 200
let lastFolder: Path | null = null

registerPersonal({
  drop: () => {
    byFolder.clear()
    lastFolder = null
  },
})

/** Remembers the position in a folder: for its history entry, and for the next visit from a folder below. */
export function rememberPosition(key: string, folder: Path, { scrollPx, focus }: FolderPosition): void {
  entryMemory.set(key, { scrollPx, ...(focus !== null && { focus }) })
  byFolder.delete(folder)
  byFolder.set(folder, { scrollPx, focus })
  const [oldest] = byFolder.keys()
  if (byFolder.size > maxFolders && oldest !== undefined) byFolder.delete(oldest)
}

/** Records that the user is in a folder now. Returns the folder in which they were before. */
export function recordVisit(to: Path): Path | null {
  const from = lastFolder
  lastFolder = to
  return from
}

/**
 * Returns the position at which to start in a folder. A position that the history entry remembers wins. A user who
 * comes up from a folder below finds that folder focused. Everybody else starts at the top.
 */
export function startPositionIn(
  folder: Path,
  { key, from }: { readonly key: string; readonly from: Path | null },
): FolderPosition {
  const entry = entryMemory.get(key)
  if (entry.scrollPx !== undefined)
    return { scrollPx: entry.scrollPx, focus: entry.focus ?? childTowards(folder, from) }
  const child = childTowards(folder, from)
  return child === null
    ? { scrollPx: 0, focus: null }
    : { scrollPx: byFolder.get(folder)?.scrollPx ?? 0, focus: child }
}

/** Returns the name of the entry of `folder` in which the folder `from` lies, or null when it does not lie below. */
const childTowards = (folder: Path, from: Path | null): string | null =>
  from === null || from === folder || !isWithin(from, folder)
    ? null
    : (namesOf(from)[namesOf(folder).length] ?? null)
