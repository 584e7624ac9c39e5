import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { compareText } from '../../shared/domain/sorting.ts'
import { isWithin, joinPaths, parentOf, parsePath, root, type Path } from '../../shared/domain/path.ts'

/** The entries that a request for an archive selects. */
export type RequestedPaths = {
  /**
   * The nearest folder that contains all requested entries. If only one entry is requested, it is the entry itself.
   * Names in the archive are relative to this path.
   */
  readonly base: Path
  /**
   * The paths of the requested entries in byte order, none of them inside another. The entries may not exist, because
   * this is checked later.
   */
  readonly topPaths: readonly Path[]
}

/**
 * Parses `files` (contract 5.2): names relative to the folder, each percent-encoded, joined by commas. The client
 * encodes the whole list once more as a query value; the caller has already removed this outer encoding. Invalid names
 * and names that lead out of the folder are ignored. An empty list requests the folder itself. Throws `bad-request` for
 * a list that is too long.
 */
export function parseRequestedPaths(folder: Path, files: string): RequestedPaths {
  const names = files.split(',').filter((name) => name !== '')
  if (names.length > limits.archiveNames)
    throw new AppError('bad-request', {
      reason: `an archive request may contain at most ${limits.archiveNames} names`,
    })
  if (names.length === 0) return { base: folder, topPaths: [folder] }
  const requested = names.flatMap((name) => pathIn(folder, name) ?? [])
  const topPaths = withoutNested([...new Set(requested)])
  return { base: topPaths.length === 0 ? folder : commonFolder(topPaths), topPaths }
}

/**
 * Converts a name from the list of requested entries to a path inside the folder. Returns null for an invalid name.
 * Slashes in the name may be percent-encoded.
 */
function pathIn(folder: Path, name: string): Path | null {
  const below = parsePath(`/${name.replaceAll(/%2f/gi, '/')}`)
  return below === null ? null : joinPaths(folder, below.path)
}

function withoutNested(paths: readonly Path[]): Path[] {
  const sorted = paths
    .map((path) => ({ path, key: path.replaceAll('/', '\0') }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ path }) => path)
  const topPaths: Path[] = []
  for (const path of sorted) {
    const last = topPaths.at(-1)
    if (last === undefined || !isWithin(path, last)) topPaths.push(path)
  }
  return topPaths
}

function commonFolder(paths: readonly Path[]): Path {
  let [base = root] = paths
  for (const path of paths) while (!isWithin(path, base)) base = parentOf(base)
  return base
}
