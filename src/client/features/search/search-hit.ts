import type { SearchHit } from '../../../shared/contract/search.ts'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { joinPaths, nameOf, parentOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'

/** An entry below the searched folder whose name matches the search. */
export type FoundEntry = { readonly path: Path; readonly isFolder: boolean }

/**
 * Converts a hit of the server. Returns null for a hit that is directly in the searched folder, because the filtered
 * rows of that folder already show it, and for a path that is longer than the limits.
 */
export function foundEntryOf(folder: Path, { path, isDir }: SearchHit): FoundEntry | null {
  const relative = path.includes('/') ? pathOf(path) : null
  const whole = relative === null ? null : joinPaths(folder, relative)
  return whole === null ? null : { path: whole, isFolder: isDir }
}

/**
 * Returns a found entry in the form that actions use. The server does not send the size, the time and the kind of link
 * of a hit. The actions that are offered for hits do not use them.
 */
export function listedEntryOf({ path, isFolder }: FoundEntry): ListedEntry {
  const name = nameOf(path)
  return {
    name,
    isFolder,
    isLink: false,
    isBroken: false,
    sizeBytes: 0,
    modifiedMs: 0,
    type: isFolder ? '' : (typeOfName(name) ?? 'blob'),
  }
}

/** Hits in the same folder that follow each other. */
export type FoundGroup = {
  readonly folder: Path
  /** The index of the first hit of the group among all hits. */
  readonly start: number
  readonly entries: readonly FoundEntry[]
}

/**
 * Groups consecutive hits by their folder. The order of the hits is kept, so that rows on screen do not move while
 * further hits arrive.
 */
export function groupByFolder(entries: readonly FoundEntry[]): readonly FoundGroup[] {
  const groups: { folder: Path; start: number; entries: FoundEntry[] }[] = []
  for (const [start, entry] of entries.entries()) {
    const folder = parentOf(entry.path)
    const last = groups.at(-1)
    if (last?.folder === folder) last.entries.push(entry)
    else groups.push({ folder, start, entries: [entry] })
  }
  return groups
}
