import { isWithin, namesOf, type Path } from '../../../shared/domain/path.ts'
import { entryMemory } from '../../router/entry-memory.ts'

/** Where one was in a folder: how far it was scrolled, and which row had the focus. */
export type Remembered = { readonly scrollPx: number; readonly focus: string | null }

const byFolder = new Map<Path, Remembered>()
const mostFolders = 200
let lastFolder: Path | null = null

/** Keeps a folder's place, for its history entry and for the next visit from below. */
export function rememberPlace(key: string, folder: Path, { scrollPx, focus }: Remembered): void {
  entryMemory.set(key, { scrollPx, ...(focus !== null && { focus }) })
  byFolder.delete(folder)
  byFolder.set(folder, { scrollPx, focus })
  const [oldest] = byFolder.keys()
  if (byFolder.size > mostFolders && oldest !== undefined) byFolder.delete(oldest)
}

/** Notes where the user is, so that the next folder knows where they came from. Answers the place before. */
export function moveOn(to: Path): Path | null {
  const from = lastFolder
  lastFolder = to
  return from
}

/**
 * Where to begin in a folder. A history entry that was here before wins; whoever comes up from below finds the folder they
 * left in focus; everybody else begins at the top.
 */
export function placeIn(
  folder: Path,
  { key, from }: { readonly key: string; readonly from: Path | null },
): Remembered {
  const entry = entryMemory.get(key)
  if (entry.scrollPx !== undefined)
    return { scrollPx: entry.scrollPx, focus: entry.focus ?? childTowards(folder, from) }
  const child = childTowards(folder, from)
  return child === null
    ? { scrollPx: 0, focus: null }
    : { scrollPx: byFolder.get(folder)?.scrollPx ?? 0, focus: child }
}

/** The entry of a folder in which a deeper place lies. */
const childTowards = (folder: Path, from: Path | null): string | null =>
  from === null || from === folder || !isWithin(from, folder)
    ? null
    : (namesOf(from)[namesOf(folder).length] ?? null)
