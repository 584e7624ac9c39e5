import type { SearchHit } from '../../../shared/contract/search.ts'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { joinPaths, nameOf, parentOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import { type ListedEntry, readFlags } from '../../state/listed-entry.ts'

/** The facts about a found entry that its row in the results shows. */
type HitFacts = Pick<ListedEntry, 'isLink' | 'isBroken' | 'isUnreachable' | 'sizeBytes' | 'modifiedMs'>

/** An entry below the searched folder whose name matches the search. */
export type FoundEntry = {
  readonly path: Path
  readonly isFolder: boolean
  /** Null when the server does not describe its hits, or when the entry has disappeared. */
  readonly facts: HitFacts | null
}

/**
 * Converts a hit of the server. Returns null for a hit that is directly in the searched folder, because the filtered
 * rows of that folder already show it, and for a path that is longer than the limits.
 */
export function foundEntryOf(folder: Path, hit: SearchHit): FoundEntry | null {
  const { path } = hit
  const relative = path.includes('/') ? pathOf(path) : null
  const whole = relative === null ? null : joinPaths(folder, relative)
  return whole === null ? null : { path: whole, isFolder: isFolderHit(hit), facts: factsOf(hit) }
}

/** The server does not follow links, so only the flags tell that a link leads to a folder. */
const isFolderHit = ({ isDir, flags }: SearchHit): boolean => isDir || readFlags(flags ?? 0).isFolder

function factsOf({ size, modifiedMs, flags }: SearchHit): HitFacts | null {
  if (size === undefined || modifiedMs === undefined || flags === undefined) return null
  const { isFolder: _isFolder, ...facts } = readFlags(flags)
  return { sizeBytes: size, modifiedMs, ...facts }
}

/**
 * Returns a found entry in the form that actions use. Its type follows from its name. Without facts, its size and time are
 * zero.
 */
export function listedEntryOf({ path, isFolder, facts }: FoundEntry): ListedEntry {
  const name = nameOf(path)
  return {
    name,
    isFolder,
    isLink: false,
    isBroken: false,
    sizeBytes: 0,
    modifiedMs: 0,
    ...facts,
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
