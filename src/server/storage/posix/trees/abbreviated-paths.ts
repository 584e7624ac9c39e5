import {
  createAbbreviationFilter,
  createAbbreviationMatch,
  isAbbreviation,
  maxAbbreviatedPaths,
} from '../../../../shared/domain/abbreviation.ts'
import { createNameMatch, type NameQuery } from '../../../../shared/domain/name-query.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { nameAt, type PackedNames, unpackNames } from '../calls/packed-names.ts'
import { entryMark } from '../listing/visible-entries.ts'
import { statLinkTargets, pathBelow } from '../resolution/resolve-path.ts'
import type { MainThreadRequest, TaskContext } from '../resolution/task-context.ts'
import { packFacts } from './match-facts.ts'

/** The names of one folder of a search, with the kind of each entry. */
export type FolderNamesWithKinds = {
  /** The path relative to the start folder, with a slash at the end. Empty for the start folder. */
  readonly below: string
  readonly names: PackedNames
  /** The kind of each entry, as one of the values of `entryMark`. */
  readonly marks: Uint8Array
  /** All names of the folder as one string, or null when each name must be decoded separately. */
  readonly text: string | null
}

/** A path whose letters match an abbreviation. */
export type AbbreviatedPath = {
  /** Relative to the start folder, without a leading slash. */
  readonly path: string
  readonly isFolder: boolean
  /** The metadata, see `packFacts`. Empty when the search does not describe its matches. */
  readonly facts: readonly number[]
}

type RankedPath = Omit<AbbreviatedPath, 'facts'> & {
  readonly name: string
  readonly facts: number[]
  readonly isLink: boolean
  /** The lower number is better. */
  readonly rank: number
  isPermitted: boolean
}

/** Collects the paths that match an abbreviation best. */
export type AbbreviationSearch = {
  /** Adds the entries of an open folder. Their metadata are read before the promise is fulfilled. */
  readonly add: (folder: FolderNamesWithKinds, descriptor: number) => Promise<void>
  /**
   * Counts names that contain the text. The search for an abbreviation ends when there are so many that no other path would
   * be shown.
   */
  readonly countPlainMatches: (count: number) => void
  /** Returns the best paths, the best one first. */
  readonly best: () => Promise<readonly AbbreviatedPath[]>
}

type AbbreviationSearchOptions = {
  readonly query: NameQuery
  readonly describes: boolean
  readonly starts: SearchStarts
}

/** The start folder of a search, as it was requested and with all links resolved. The rules apply to both. */
type SearchStarts = { readonly requested: Path; readonly resolved: Path }

/** Creates the search for an abbreviation, or returns null for a text that is none. */
export function createAbbreviationSearch(
  context: TaskContext,
  { query, describes, starts }: AbbreviationSearchOptions,
): AbbreviationSearch | null {
  if (!isAbbreviation(query)) return null
  const mayMatch = createAbbreviationFilter(query)
  const match = createAbbreviationMatch(query)
  const isPlainMatch = createNameMatch(query)
  const isOfType = createNameMatch({ ...query, terms: [] })
  // A name is a plain match when it has one of several terms, and the rules may deny it. Such names are not counted.
  const enoughPlainMatches =
    query.terms.length === 1 && !context.rootContext.hasRules ? maxAbbreviatedPaths : Number.POSITIVE_INFINITY
  let plainMatches = 0
  let kept: RankedPath[] = []
  /** The rank of the last path among the best ones. Paths that are not better are left out. */
  let worstRank = Number.POSITIVE_INFINITY

  /** Removes all paths except the best ones that the rules permit. */
  const drop = async (): Promise<void> => {
    kept.sort((a, b) => a.rank - b.rank)
    const permitted: RankedPath[] = []
    while (permitted.length < maxAbbreviatedPaths && kept.length > 0) {
      const next = kept.splice(0, maxAbbreviatedPaths - permitted.length)
      await checkRules(context, starts, next)
      permitted.push(...next.filter(({ isPermitted }) => isPermitted))
    }
    kept = permitted
    if (kept.length === maxAbbreviatedPaths) worstRank = kept.at(-1)?.rank ?? worstRank
  }

  /** Reads the metadata of paths in a folder that are still among the best ones. Removes links that lead elsewhere. */
  const readFacts = async (descriptor: number, added: readonly RankedPath[]): Promise<void> => {
    const found = added.filter((path) => kept.includes(path))
    const links = found.filter(({ isLink }) => isLink)
    const targets = await statLinkTargets(
      context,
      links.map(({ path }) => pathBelow(starts.requested, path)),
    )
    for (const path of found) {
      const target = path.isLink ? targets[links.indexOf(path)] : undefined
      if (target === 'denied') kept.splice(kept.indexOf(path), 1)
      else if (describes)
        packFacts(context, { location: { folder: descriptor, name: path.name }, target }, path.facts)
    }
  }

  return {
    async add({ below, names, marks, text }, descriptor) {
      if (plainMatches >= enoughPlainMatches) return
      const candidates = mayMatch(below, text ?? textOneByOne(names), names.count)
      if (candidates === null) return
      const added: RankedPath[] = []
      for (let index = candidates.indexOf(1); index !== -1; index = candidates.indexOf(1, index + 1)) {
        const kind = marks[index]
        if (kind === entryMark.denied || kind === entryMark.special) continue
        const name = nameAt(names, index)
        if (isPlainMatch(name) || !isOfType(name)) continue
        const path = below + name
        const found = match(path)
        if (found === null) continue
        const rank = rankOf(found, name)
        if (rank >= worstRank) continue
        const [isFolder, isLink] = [kind === entryMark.folder, kind === entryMark.link]
        const ranked = { path, name, isFolder, isLink, rank, isPermitted: false, facts: [] }
        kept.push(ranked)
        added.push(ranked)
        if (kept.length === maxKept) await drop()
      }
      await readFacts(descriptor, added)
    },
    countPlainMatches(count) {
      plainMatches += count
    },
    async best() {
      if (plainMatches >= enoughPlainMatches) return []
      await drop()
      return kept
    },
  }
}

const textOneByOne = ({ bytes, starts, count }: PackedNames): string =>
  unpackNames(bytes.subarray(0, starts[count]))
    .map((name) => `${name}\0`)
    .join('')

/** The number of paths at which all except the best ones are removed. */
const maxKept = 4 * maxAbbreviatedPaths

/** The largest number of units of a name, and one more than the largest cost that counts. */
const rankStep = 1024

/** Returns the rank of a match: by the part of the path that has the letters, by the cost, and by the length of the name. */
const rankOf = (
  { isInName, cost }: { readonly isInName: boolean; readonly cost: number },
  name: string,
): number =>
  (Number(!isInName) * rankStep + Math.min(cost, rankStep - 1)) * rankStep +
  Math.min(name.length, rankStep - 1)

/** Asks the main thread about the paths that it has not permitted yet. */
async function checkRules(
  { rootContext, link }: TaskContext,
  { requested, resolved }: SearchStarts,
  found: readonly RankedPath[],
): Promise<void> {
  const unchecked = found.filter(({ isPermitted }) => !isPermitted)
  for (const path of unchecked) path.isPermitted = true
  if (!rootContext.hasRules || unchecked.length === 0) return
  for (const start of new Set([requested, resolved])) {
    const request: MainThreadRequest = { kind: 'found', start, paths: unchecked.map(({ path }) => path) }
    const verdicts = (await link.sendRequest(request)) as Uint8Array
    for (const [index, path] of unchecked.entries()) if (verdicts[index] !== 1) path.isPermitted = false
  }
}
