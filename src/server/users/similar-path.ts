import { childOf, joinPaths, namesOf, pathOfNames, root, type Path } from '../../shared/domain/path.ts'
import { isMissing } from '../storage/stat-or-null.ts'
import type { Storage } from '../storage/port.ts'
import { entriesOf } from './existing-entries.ts'

/** The numbers of names that are compared, and of folders in which the path is looked for. A few are enough for a hint. */
const mostNames = 500
const mostFolders = 50

/**
 * Returns a path that exists and is probably meant by a path that does not: the path without the folders that lead to this
 * storage, the path inside one of the top folders, or the path with a name that is spelled in a similar way. Null without one.
 */
export async function similarPathIn(
  storage: Storage,
  wanted: Path,
  signal: AbortSignal,
): Promise<Path | null> {
  const names = namesOf(wanted)
  for (let dropped = 1; dropped < names.length; dropped += 1) {
    signal.throwIfAborted()
    const shorter = pathOfNames(names.slice(dropped))
    if (!(await isMissing(storage, shorter))) return shorter
  }
  const top = await entriesOf(storage, root, { mostEntries: mostNames, signal })
  for (const { name } of top.filter(({ isFolder }) => isFolder).slice(0, mostFolders)) {
    signal.throwIfAborted()
    const folder = childOf(root, name)
    const inside = folder === null ? null : joinPaths(folder, wanted)
    if (inside !== null && !(await isMissing(storage, inside))) return inside
  }
  return similarlySpelled(storage, names, signal)
}

/** Returns the path in which each missing name is replaced by the most similar name in its folder. Null when a name has none. */
async function similarlySpelled(
  storage: Storage,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Path | null> {
  let path = root
  for (const name of names) {
    signal.throwIfAborted()
    const exact = childOf(path, name)
    if (exact !== null && !(await isMissing(storage, exact))) {
      path = exact
      continue
    }
    const entries = await entriesOf(storage, path, { mostEntries: mostNames, signal })
    const similar = mostSimilar(
      name,
      entries.map((entry) => entry.name),
    )
    const next = similar === null ? null : childOf(path, similar)
    if (next === null) return null
    path = next
  }
  return path
}

/**
 * The maximum number of characters of names that are compared letter by letter, because the time grows with the square of it.
 * Longer names are similar only when one begins with the other.
 */
const mostCompared = 64

/** Returns the name that differs least from a name: in at most one of four letters, or by what follows it. Null without one. */
export function mostSimilar(wanted: string, names: readonly string[]): string | null {
  const plain = comparable(wanted)
  const most = Math.max(1, Math.floor(plain.length / 4))
  let best: { readonly name: string; readonly distance: number } | null = null
  for (const name of names) {
    const other = comparable(name)
    const isLonger = plain.length > 2 && other.startsWith(plain)
    const limit: number = best === null ? most : best.distance - 1
    const distance = isLonger
      ? Math.min(most, other.length - plain.length)
      : distanceWithin(limit, plain, other)
    if (distance <= limit) best = { name, distance }
  }
  return best?.name ?? null
}

/** Returns a name without the differences that people overlook: case, accents and spaces at the ends. */
const comparable = (name: string): string =>
  name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

/**
 * Returns the number of characters that have to be added, removed or replaced to make one text of another (Levenshtein), or
 * Infinity when it is more than a limit.
 */
function distanceWithin(limit: number, one: string, other: string): number {
  if (one === other) return 0
  const longest = Math.max(one.length, other.length)
  if (longest > mostCompared || Math.abs(one.length - other.length) > Math.min(limit, longest / 2))
    return Infinity
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1)
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1),
        ),
      )
    // The smallest value never decreases from row to row.
    if (Math.min(...current) > limit) return Infinity
    above = current
  }
  return above[other.length] ?? Infinity
}
