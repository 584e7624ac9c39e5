import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { AppError } from '../../../../shared/domain/failure.ts'
import { createNameMatch, createTextMatch, type NameQuery } from '../../../../shared/domain/name-query.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { compareText } from '../../../../shared/domain/sorting.ts'
import { disposable, isGone, isUnreachable, openFlags, reopen } from '../calls/descriptors.ts'
import {
  createNamePacker,
  nameAt,
  textOfNames,
  unpackNames,
  type PackedNames,
  type NamePacker,
} from '../calls/packed-names.ts'
import type { FileStat } from '../calls/file-stat.ts'
import { entryMark, markEntries } from '../listing/visible-entries.ts'
import { resolveFolder, statLinkTargets, pathBelow, type ResolvedEntry } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import {
  type AbbreviationSearch,
  createAbbreviationSearch,
  type FolderNamesWithKinds,
} from './abbreviation-search.ts'
import { packStat } from './match-stat.ts'

export type SearchInput = {
  readonly path: Path
  readonly query: NameQuery
  readonly describes: boolean
  readonly abbreviations: boolean
}

/** Message with matching names, sent to the main thread. The main thread applies the rules to the names. */
export type NameSearchMessage = {
  /** Path at which the search started, with all links resolved. */
  readonly at: Path
  /**
   * Paths relative to the searched folder, without a leading slash, separated by NUL. Sending thousands of separate
   * strings would be slower.
   */
  readonly paths: string
  /** For each path, 1 when it is a folder and 0 otherwise. */
  readonly folders: Uint8Array
  /** The metadata of the matches, see `packStat`. Null when the search does not describe its matches. */
  readonly stats: Float64Array | null
  /** The paths of folders that exist and cannot be searched. The path of the searched folder is empty. */
  readonly unreachable: readonly string[]
}

/**
 * Maximum number of names in one message. The first message usually contains fewer names, because it is sent as soon as
 * a folder with a match has been searched.
 */
const maxMessageNames = 2048
/**
 * Number of characters of paths (64 Ki) after which a message is sent. Paths may have 4 kB, and several messages wait in memory
 * while the client of a search does not read.
 */
const maxMessageCharacters = 64 * 1024
/**
 * Matching names are sent when the last message was sent more than this time in milliseconds ago, so that results keep
 * arriving even when matches are rare.
 */
const maxWaitMs = 50
/**
 * Time in milliseconds after which the search yields to other tasks of the same worker thread. The time is so short
 * that these tasks are hardly delayed.
 */
const maxTurnMs = 8

type SearchState = {
  readonly context: TaskContext<NameSearchMessage>
  readonly start: ResolvedEntry
  readonly path: Path
  readonly matchesName: (name: string) => boolean
  readonly mayContainMatch: (names: string) => boolean
  /**
   * Buffers for the names of a folder, reused for each folder. A search may visit 20,000 folders, and allocating new
   * buffers for each of them would be slow.
   */
  readonly packer: NamePacker
  /** Null when the search finds no abbreviations. */
  readonly abbreviations: AbbreviationSearch | null
  unreachable: string[]
  paths: string[]
  folders: number[]
  stats: number[] | null
  characters: number
  /**
   * Number of names that is enough for a message. It is 1 for the first message, so that the first match arrives early.
   */
  batchSize: number
  sentAtMs: number
  yieldedAtMs: number
}

/**
 * Sends the matching names below a folder to the main thread, depth first and in byte order. Only folders are opened. A
 * folder that is missing or unreadable has no matches (contract 7).
 */
export async function searchNames(
  context: TaskContext<NameSearchMessage>,
  input: SearchInput,
): Promise<void> {
  const { path, query, describes, abbreviations } = input
  using start = await openStart(context, path)
  if (start === null) return
  const nowMs = performance.now()
  const search: SearchState = {
    context,
    start,
    path,
    matchesName: createNameMatch(query),
    mayContainMatch: createTextMatch(query),
    packer: createNamePacker(true),
    abbreviations: abbreviations
      ? createAbbreviationSearch(context, {
          query,
          describes,
          starts: { requested: path, resolved: start.path },
        })
      : null,
    unreachable: [],
    paths: [],
    folders: [],
    stats: describes ? [] : null,
    characters: 0,
    batchSize: 1,
    sentAtMs: nowMs,
    yieldedAtMs: nowMs,
  }
  await enter(search, { below: '', open: () => reopen(start.descriptor, openFlags.folder) })
  await sendMatches(search)
  for (const found of (await search.abbreviations?.best()) ?? []) {
    search.paths.push(found.path)
    search.folders.push(Number(found.isFolder))
    search.stats?.push(...found.stats)
  }
  await sendMatches(search)
}

async function openStart(context: TaskContext<NameSearchMessage>, path: Path): Promise<ResolvedEntry | null> {
  try {
    return await resolveFolder(context, path)
  } catch (error) {
    if (!isUnsearchable(error)) throw error
    if (isUnreachable(error)) await context.link.emit(unreachableStart(path))
    return null
  }
}

const unreachableStart = (at: Path): NameSearchMessage => ({
  at,
  paths: '',
  folders: new Uint8Array(),
  stats: null,
  unreachable: [''],
})

/**
 * Returns true when an error means that a folder cannot be searched because it is missing, not a folder, or unreadable.
 * Returns false for a folder that rules deny.
 */
function isUnsearchable(error: unknown): boolean {
  if (error instanceof AppError) return ['not-found', 'not-a-folder', 'link-loop'].includes(error.code)
  return isGone(error) || isUnreachable(error)
}

/**
 * A folder that the search has not opened yet. `below` is the path relative to the start folder with a trailing slash.
 * It is empty for the start folder.
 */
type PendingSearchFolder = { readonly below: string; readonly open: () => number }

async function enter(search: SearchState, { below, open }: PendingSearchFolder): Promise<void> {
  search.context.link.throwIfAborted()
  using folder = await orSkip(search, below, () => disposable(open()))
  if (folder === null) return
  const opened = { below, descriptor: folder.descriptor }
  const candidates = await orSkip(search, below, () => candidatesIn(search, opened))
  if (candidates !== null) await searchFolder(search, { ...opened, candidates })
}

/** Runs `read`. Returns null when the folder no longer exists, or cannot be reached, which is recorded. */
async function orSkip<T>(search: SearchState, below: string, read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isUnreachable(error)) search.unreachable.push(below.slice(0, -1))
    else if (!isGone(error)) throw error
    return null
  }
}

type OpenSearchFolder = { readonly below: string; readonly descriptor: number }

async function searchFolder(
  search: SearchState,
  { below, descriptor, candidates }: OpenSearchFolder & { readonly candidates: readonly SearchCandidate[] },
): Promise<void> {
  for (const { name, isFolder, isMatch, target } of candidates) {
    const path = below + name
    if (isMatch) {
      search.paths.push(path)
      search.characters += path.length
      search.folders.push(Number(isFolder))
      if (search.stats !== null)
        packStat(search.context, { location: { folder: descriptor, name }, target }, search.stats)
    }
    if (isFolder)
      await enter(search, {
        below: `${path}/`,
        open: () => search.context.calls.openFolder({ folder: descriptor, name }),
      })
    if (search.paths.length >= maxMessageNames || search.characters >= maxMessageCharacters)
      await sendMatches(search)
  }
  await sendOrYield(search)
}

type SearchCandidate = {
  readonly name: string
  readonly isFolder: boolean
  readonly isMatch: boolean
  /** The metadata of the target of a link, or null for a broken link. Only links have it. */
  readonly target?: FileStat | null
}

/** Returns the subfolders of a folder and the matching names in it, in byte order. */
async function candidatesIn(
  search: SearchState,
  { below, descriptor }: OpenSearchFolder,
): Promise<SearchCandidate[]> {
  const { context, start, packer } = search
  const names = context.calls.readNames(descriptor, packer)
  const found = {
    path: below === '' ? start.path : pathBelow(start.path, below),
    get stat() {
      return context.calls.stat(descriptor)
    },
  }
  const marks = markEntries(context, { folder: descriptor, found, names })
  const text = textOfNames(names)
  const folder = { below, names, marks, text }
  const candidates =
    text === null || search.mayContainMatch(text)
      ? await matchingEntries(search, folder)
      : foldersAmong(names, marks)
  if (search.abbreviations !== null) {
    search.abbreviations.countPlainMatches(candidates.filter(({ isMatch }) => isMatch).length)
    await search.abbreviations.add(folder, descriptor)
  }
  const compare = text === null || surrogates.test(text) ? compareText : compareUnits
  return candidates.sort((a, b) => compare(a.name, b.name))
}

/** Matches surrogates. In a string without them, the order of UTF-16 code units equals the order of UTF-8 bytes. */
const surrogates = /[\uD800-\uDFFF]/
const compareUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

async function matchingEntries(
  search: SearchState,
  { below, names, marks, text }: FolderNamesWithKinds,
): Promise<SearchCandidate[]> {
  const candidates: SearchCandidate[] = []
  const links: string[] = []
  const all =
    text === null ? unpackNames(names.bytes.subarray(0, names.starts[names.count])) : text.split('\0')
  for (let index = 0; index < names.count; index += 1) {
    const kind = marks[index]
    if (kind === entryMark.denied || kind === entryMark.special) continue
    const name = all[index] ?? ''
    const isMatch = search.matchesName(name)
    if (isMatch && kind === entryMark.link) links.push(name)
    else if (isMatch || kind === entryMark.folder)
      candidates.push({ name, isFolder: kind === entryMark.folder, isMatch })
  }
  candidates.push(...(await reachableLinks(search, below, links)))
  return candidates
}

/**
 * Returns the subfolders of a folder that contains no matching name. For speed, strings are created only for the names
 * of subfolders.
 */
function foldersAmong(names: PackedNames, marks: Uint8Array): SearchCandidate[] {
  const folders: SearchCandidate[] = []
  for (let index = 0; index < names.count; index += 1) {
    if (marks[index] !== entryMark.folder) continue
    folders.push({ name: nameAt(names, index), isFolder: true, isMatch: false })
  }
  return folders
}

/** Returns the links that may be shown: broken links, and links to a permitted entry inside the root. */
async function reachableLinks(
  { context, path }: SearchState,
  below: string,
  links: readonly string[],
): Promise<SearchCandidate[]> {
  const paths = links.map((name) => pathBelow(path, below + name))
  const targets = await statLinkTargets(context, paths)
  return links.flatMap((name, index) => {
    const target = targets[index] ?? null
    return target === 'denied' ? [] : [{ name, isFolder: false, isMatch: true, target }]
  })
}

/**
 * Runs after each folder. Sends the found names when there are enough for a message or the last message was sent too
 * long ago. Otherwise, the search yields to other tasks of the thread if it has run long enough.
 */
async function sendOrYield(search: SearchState): Promise<void> {
  const nowMs = performance.now()
  const count = search.paths.length
  if (count >= search.batchSize || (count > 0 && nowMs - search.sentAtMs > maxWaitMs))
    return sendMatches(search)
  if (nowMs - search.yieldedAtMs < maxTurnMs) return
  await yieldToEventLoop()
  search.yieldedAtMs = performance.now()
}

async function sendMatches(search: SearchState): Promise<void> {
  const { paths, folders, stats, start, context, unreachable } = search
  if (paths.length + unreachable.length === 0) return
  search.unreachable = []
  search.paths = []
  search.folders = []
  search.stats = stats === null ? null : []
  search.characters = 0
  search.batchSize = maxMessageNames
  const names: NameSearchMessage = {
    at: start.path,
    paths: paths.join('\0'),
    folders: Uint8Array.from(folders),
    stats: stats === null ? null : Float64Array.from(stats),
    unreachable,
  }
  await context.link.emit(names)
  search.sentAtMs = search.yieldedAtMs = performance.now()
}
