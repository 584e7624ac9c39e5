import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
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
import { packStat } from './match-stat.ts'

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
  /** The metadata, see `packStat`. Empty when the search does not describe its matches. */
  readonly stats: readonly number[]
}

type RankedPath = Omit<AbbreviatedPath, 'stats'> & {
  readonly name: string
  readonly stats: number[]
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
  const best = createBestPaths(context, starts)
  const turn = createTurn(context)
  // A name is a plain match when it has one of several terms, and the rules may deny it. Such names are not counted.
  const enoughPlainMatches =
    query.terms.length === 1 && !context.rootContext.hasRules ? maxAbbreviatedPaths : Number.POSITIVE_INFINITY
  let plainMatches = 0
  return {
    async add({ below, names, marks, text }, descriptor) {
      if (plainMatches >= enoughPlainMatches) return
      const candidates = mayMatch(below, text ?? textOneByOne(names), names.count)
      if (candidates === null) return
      const added: RankedPath[] = []
      for (let index = candidates.indexOf(1); index !== -1; index = candidates.indexOf(1, index + 1)) {
        const kind = marks[index]
        if (kind === entryMark.denied || kind === entryMark.special) continue
        if (turn.isOver()) await turn.next()
        const name = nameAt(names, index)
        const path = below + name
        const found = isPlainMatch(name) || !isOfType(name) ? null : match(path)
        const rank = found === null ? Number.POSITIVE_INFINITY : rankOf(found, name)
        if (rank >= best.worstRank()) continue
        const [isFolder, isLink] = [kind === entryMark.folder, kind === entryMark.link]
        const ranked = { path, name, isFolder, isLink, rank, isPermitted: false, stats: [] }
        added.push(ranked)
        await best.add(ranked)
      }
      const denied = await readStats(context, {
        starts,
        descriptor,
        describes,
        paths: added.filter(best.has),
      })
      denied.forEach(best.remove)
    },
    countPlainMatches(count) {
      plainMatches += count
    },
    best: async () => (plainMatches >= enoughPlainMatches ? [] : best.take()),
  }
}

/** The time after which a comparison of names lets other tasks of the thread run, in milliseconds, as in the rest of the search. */
const maxTurnMs = 8

/** A turn of a task on its thread. */
type Turn = {
  readonly isOver: () => boolean
  /** Lets other tasks run, and begins the next turn. Rejects when the search was aborted meanwhile. */
  readonly next: () => Promise<void>
}

function createTurn({ link }: TaskContext): Turn {
  let startMs = performance.now()
  return {
    isOver: () => performance.now() - startMs > maxTurnMs,
    async next() {
      await yieldToEventLoop()
      link.throwIfAborted()
      startMs = performance.now()
    },
  }
}

/** The paths with the lowest ranks. */
type BestPaths = {
  /** Paths whose rank is not lower are not among the best ones. */
  readonly worstRank: () => number
  readonly add: (path: RankedPath) => Promise<void>
  readonly has: (path: RankedPath) => boolean
  readonly remove: (path: RankedPath) => void
  /** Returns the best paths that the rules permit, the best one first. */
  readonly take: () => Promise<readonly RankedPath[]>
}

/** The number of paths at which all except the best ones are removed. */
const maxKept = 4 * maxAbbreviatedPaths

function createBestPaths(context: TaskContext, starts: SearchStarts): BestPaths {
  let kept: RankedPath[] = []
  let worstRank = Number.POSITIVE_INFINITY
  /** Removes all paths except the best ones that the rules permit. */
  const removeOthers = async (): Promise<void> => {
    const ranked = kept.toSorted((a, b) => a.rank - b.rank)
    kept = []
    while (kept.length < maxAbbreviatedPaths && ranked.length > 0) {
      const next = ranked.splice(0, maxAbbreviatedPaths - kept.length)
      await checkRules(context, starts, next)
      kept.push(...next.filter(({ isPermitted }) => isPermitted))
    }
    if (kept.length === maxAbbreviatedPaths) worstRank = kept.at(-1)?.rank ?? worstRank
  }
  return {
    worstRank: () => worstRank,
    async add(path) {
      kept.push(path)
      if (kept.length === maxKept) await removeOthers()
    },
    has: (path) => kept.includes(path),
    remove: (path) => {
      kept = kept.filter((other) => other !== path)
    },
    async take() {
      await removeOthers()
      return kept
    },
  }
}

/** The paths of one folder whose metadata are read. */
type StatsRequest = Pick<AbbreviationSearchOptions, 'starts' | 'describes'> & {
  readonly descriptor: number
  readonly paths: readonly RankedPath[]
}

/** Reads the metadata of paths in a folder. Returns the links that lead to what the user may not reach. */
async function readStats(
  context: TaskContext,
  { starts, descriptor, describes, paths }: StatsRequest,
): Promise<readonly RankedPath[]> {
  const links = paths.filter(({ isLink }) => isLink)
  const targets = await statLinkTargets(
    context,
    links.map(({ path }) => pathBelow(starts.requested, path)),
  )
  const denied = links.filter((_, index) => targets[index] === 'denied')
  for (const found of paths) {
    const target = found.isLink ? targets[links.indexOf(found)] : undefined
    if (target !== 'denied' && describes)
      packStat(context, { location: { folder: descriptor, name: found.name }, target }, found.stats)
  }
  return denied
}

const textOneByOne = ({ bytes, starts, count }: PackedNames): string =>
  unpackNames(bytes.subarray(0, starts[count]))
    .map((name) => `${name}\0`)
    .join('')

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
