import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { compareText } from '../../shared/domain/sorting.ts'
import { isWithin, joinPaths, parentOf, parsePath, root, type Path } from '../../shared/domain/path.ts'

/** What an archive is asked to hold. */
export type Requested = {
  /** The nearest folder that holds all of it, or the one entry that is asked for itself; names in the archive are relative to it. */
  readonly base: Path
  /** None inside another, in byte order. Whether they are there is not known yet. */
  readonly tops: readonly Path[]
}

/**
 * Reads `files` (contract 5.2): names relative to the folder, each percent-encoded, joined by commas; the list was encoded once more
 * and is decoded once already. Names that climb or cannot be names are left out. An empty list asks for the folder itself; one
 * that is too long is `bad-request`.
 */
export function requestedPaths(folder: Path, files: string): Requested {
  const names = files.split(',').filter((name) => name !== '')
  if (names.length > limits.archiveNames)
    throw new AppError('bad-request', {
      reason: `an archive is made of ${limits.archiveNames} names at most`,
    })
  if (names.length === 0) return { base: folder, tops: [folder] }
  const asked = names.flatMap((name) => pathIn(folder, name) ?? [])
  const tops = withoutNested([...new Set(asked)])
  return { base: tops.length === 0 ? folder : commonFolder(tops), tops }
}

/** Slashes inside a name may be encoded with it. */
function pathIn(folder: Path, name: string): Path | null {
  const below = parsePath(`/${name.replaceAll(/%2f/gi, '/')}`)
  return below === null ? null : joinPaths(folder, below.path)
}

function withoutNested(paths: readonly Path[]): Path[] {
  const sorted = paths
    .map((path) => ({ path, key: path.replaceAll('/', '\0') }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ path }) => path)
  const tops: Path[] = []
  for (const path of sorted) {
    const last = tops.at(-1)
    if (last === undefined || !isWithin(path, last)) tops.push(path)
  }
  return tops
}

function commonFolder(paths: readonly Path[]): Path {
  let [base = root] = paths
  for (const path of paths) while (!isWithin(path, base)) base = parentOf(base)
  return base
}
