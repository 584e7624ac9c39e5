import type { MatchStat, NameSearchMatches } from '../storage/port.ts'

/**
 * The batches of names that a search finds. A null between batches is a heartbeat, which follows an interval without
 * hits.
 */
type NameBatches = AsyncIterable<NameSearchMatches | null>

/**
 * Formats each hit as one line of JSON. An empty line is a heartbeat. The output ends after `maxHits` hits with the
 * line `{"truncated":true}`.
 */
export async function* hitLines(
  batches: NameBatches,
  maxHits = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  let remainingHits = maxHits
  for await (const names of batches) {
    if (names === null) {
      yield '\n'
      continue
    }
    const hits = hitsOf(names).slice(0, remainingHits)
    if (hits.length > 0) yield `${hits.join('\n')}\n`
    if (hits.length < names.paths.length) {
      yield '{"truncated":true}\n'
      return
    }
    remainingHits -= hits.length
  }
}

/** Adds a last line with the number of folders that could not be searched, if there are any. */
export async function* withUnsearched(
  lines: AsyncIterable<string>,
  unsearched: () => number,
): AsyncGenerator<string> {
  yield* lines
  if (unsearched() > 0) yield `{"unsearched":${unsearched()}}\n`
}

/**
 * Formats all hits as one JSON array, which is written while the hits are found. A heartbeat is written as white space,
 * which keeps the connection open.
 */
export async function* hitList(batches: NameBatches): AsyncGenerator<string> {
  let opening = '['
  for await (const names of batches) {
    if (names === null) {
      yield opening === '[' ? '[\n' : '\n'
      if (opening === '[') opening = ''
      continue
    }
    if (names.paths.length === 0) continue
    yield opening + hitsOf(names).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

const hitsOf = ({ paths, folders, stats }: NameSearchMatches): string[] =>
  paths.map((path, index) => {
    const isFolder = folders[index] === true
    return `{"dir":${isFolder},"isDir":${isFolder},"path":${JSON.stringify(path)}${statFields(stats?.[index])}}`
  })

const statFields = (stat: MatchStat | null | undefined): string =>
  stat === null || stat === undefined
    ? ''
    : `,"size":${stat.sizeBytes},"modifiedMs":${Math.floor(stat.modifiedMs)},"flags":${stat.flags}`
