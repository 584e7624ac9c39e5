import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { AppError } from '../../../../shared/domain/failure.ts'
import { createNameMatch, createTextMatch, type NameQuery } from '../../../../shared/domain/name-query.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { compareText } from '../../../../shared/domain/sorting.ts'
import { errnoOf, disposable, openFlags, reopen } from '../calls/descriptors.ts'
import {
  createNamePacker,
  nameAt,
  textOfNames,
  unpackNames,
  type PackedNames,
  type NamePacker,
} from '../calls/packed-names.ts'
import { mark, markEntries } from '../listing/visible-entries.ts'
import { resolveFolder, statLinkTargets, pathBelow, type ResolvedEntry } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'

export type SearchInput = { readonly path: Path; readonly query: NameQuery }

/** Found names as they are sent to the main thread, which applies the rules. */
export type FoundNamesMessage = {
  /** Path at which the search started, with all links resolved. */
  readonly at: Path
  /**
   * Paths relative to the searched folder, without a leading slash, separated by NUL. Sending thousands of separate
   * strings would be slower.
   */
  readonly paths: string
  /** For each path, 1 when it is a folder and 0 otherwise. */
  readonly folders: Uint8Array
}

/** Maximum number of names in one message. The first names are sent as soon as they are found. */
const maxNames = 2048
/** Maximum time in milliseconds for which found names wait before they are sent. */
const maxWaitMs = 50
/** Maximum time in milliseconds before other tasks of the thread may run. */
const maxTurnMs = 8

type SearchState = {
  readonly context: TaskContext
  readonly start: ResolvedEntry
  readonly path: Path
  readonly fits: (name: string) => boolean
  readonly mayHoldFits: (names: string) => boolean
  /**
   * Packer for the names of a folder, reused for each folder. A search may visit 20,000 folders, and allocating memory
   * for each of them would be wasteful.
   */
  readonly packer: NamePacker
  paths: string[]
  folders: number[]
  /** Number of names in one message. It is 1 for the first message. */
  batchSize: number
  sentAtMs: number
  yieldedAtMs: number
}

/**
 * Sends the matching names below a folder, depth first, in byte order. Only folders are opened. A folder that is
 * missing or unreadable has no matches (contract 7).
 */
export async function searchNames(context: TaskContext, { path, query }: SearchInput): Promise<void> {
  using start = await openStart(context, path)
  if (start === null) return
  const nowMs = performance.now()
  const search: SearchState = {
    context,
    start,
    path,
    fits: createNameMatch(query),
    mayHoldFits: createTextMatch(query),
    packer: createNamePacker(true),
    paths: [],
    folders: [],
    batchSize: 1,
    sentAtMs: nowMs,
    yieldedAtMs: nowMs,
  }
  await enter(search, { below: '', open: () => reopen(start.descriptor, openFlags.folder) })
  await send(search)
}

async function openStart(context: TaskContext, path: Path): Promise<ResolvedEntry | null> {
  try {
    return await resolveFolder(context, path)
  } catch (error) {
    if (isUnsearchable(error)) return null
    throw error
  }
}

/**
 * Returns true for errors that mean that a folder cannot be searched: it is missing, not a folder, or unreadable. A
 * path that rules deny is not among these errors.
 */
function isUnsearchable(error: unknown): boolean {
  const code = error instanceof AppError ? error.code : errnoOf(error)
  return ['not-found', 'not-a-folder', 'link-loop', ...skippedErrnos].includes(code)
}

const skippedErrnos = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']

/**
 * A folder that the search will enter. `below` is its path from the start with a trailing slash, or empty for the start
 * itself.
 */
type SearchStep = { readonly below: string; readonly open: () => number }

async function enter(search: SearchState, { below, open }: SearchStep): Promise<void> {
  search.context.link.throwIfAborted()
  let descriptor: number
  try {
    descriptor = open()
  } catch (error) {
    if (skippedErrnos.includes(errnoOf(error))) return
    throw error
  }
  using folder = disposable(descriptor)
  await searchFolder(search, { below, descriptor: folder.descriptor })
}

type SearchFolder = { readonly below: string; readonly descriptor: number }

async function searchFolder(search: SearchState, { below, descriptor }: SearchFolder): Promise<void> {
  for (const { name, isFolder, isHit } of await candidatesIn(search, { below, descriptor })) {
    const path = below + name
    if (isHit) {
      search.paths.push(path)
      search.folders.push(Number(isFolder))
    }
    if (isFolder)
      await enter(search, {
        below: `${path}/`,
        open: () => search.context.calls.openFolder({ folder: descriptor, name }),
      })
    if (search.paths.length >= maxNames) await send(search)
  }
  await pause(search)
}

type SearchCandidate = { readonly name: string; readonly isFolder: boolean; readonly isHit: boolean }

/** Returns the subfolders of a folder and the matching names in it, in byte order. */
async function candidatesIn(
  search: SearchState,
  { below, descriptor }: SearchFolder,
): Promise<SearchCandidate[]> {
  const { context, start, packer } = search
  const names = context.calls.readNames(descriptor, packer)
  const found = {
    path: below === '' ? start.path : pathBelow(start.path, below),
    get facts() {
      return context.calls.stat(descriptor)
    },
  }
  const marks = markEntries(context, { folder: descriptor, found, names })
  const text = textOfNames(names)
  const candidates =
    text === null || search.mayHoldFits(text)
      ? await matchingEntries(search, { below, names, marks, text })
      : foldersAmong(names, marks)
  const compare = text === null || surrogates.test(text) ? compareText : compareUnits
  return candidates.sort((a, b) => compare(a.name, b.name))
}

/** Matches surrogates. In a string without them, the order of UTF-16 code units equals the order of UTF-8 bytes. */
const surrogates = /[\uD800-\uDFFF]/
const compareUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

type FolderText = {
  readonly below: string
  readonly names: PackedNames
  readonly marks: Uint8Array
  /** All names as one string, or null when each name must be decoded separately. */
  readonly text: string | null
}

async function matchingEntries(
  search: SearchState,
  { below, names, marks, text }: FolderText,
): Promise<SearchCandidate[]> {
  const candidates: SearchCandidate[] = []
  const links: string[] = []
  const all =
    text === null ? unpackNames(names.bytes.subarray(0, names.starts[names.count])) : text.split('\0')
  for (let index = 0; index < names.count; index += 1) {
    const kind = marks[index]
    if (kind === mark.denied || kind === mark.special) continue
    const name = all[index] ?? ''
    const isHit = search.fits(name)
    if (isHit && kind === mark.link) links.push(name)
    else if (isHit || kind === mark.folder) candidates.push({ name, isFolder: kind === mark.folder, isHit })
  }
  candidates.push(...(await reachableLinks(search, below, links)))
  return candidates
}

/**
 * Returns the subfolders of a folder in which no name matches. For speed, strings are created only for the names of
 * folders.
 */
function foldersAmong(names: PackedNames, marks: Uint8Array): SearchCandidate[] {
  const folders: SearchCandidate[] = []
  for (let index = 0; index < names.count; index += 1) {
    if (marks[index] !== mark.folder) continue
    folders.push({ name: nameAt(names, index), isFolder: true, isHit: false })
  }
  return folders
}

/** Returns the links that are broken or lead to an entry inside the root that may be reached. */
async function reachableLinks(
  { context, path }: SearchState,
  below: string,
  links: readonly string[],
): Promise<SearchCandidate[]> {
  const paths = links.map((name) => pathBelow(path, below + name))
  const targets = await statLinkTargets(context, paths)
  return links
    .filter((_, index) => targets[index] !== 'denied')
    .map((name) => ({ name, isFolder: false, isHit: true }))
}

/**
 * Sends the found names when there are enough of them or they have waited long enough, and lets other tasks of the
 * thread run. Called after each folder.
 */
async function pause(search: SearchState): Promise<void> {
  const nowMs = performance.now()
  const count = search.paths.length
  if (count >= search.batchSize || (count > 0 && nowMs - search.sentAtMs > maxWaitMs)) return send(search)
  if (nowMs - search.yieldedAtMs < maxTurnMs) return
  await yieldToEventLoop()
  search.yieldedAtMs = performance.now()
}

async function send(search: SearchState): Promise<void> {
  const { paths, folders, start, context } = search
  if (paths.length === 0) return
  search.paths = []
  search.folders = []
  search.batchSize = maxNames
  const names: FoundNamesMessage = {
    at: start.path,
    paths: paths.join('\0'),
    folders: Uint8Array.from(folders),
  }
  await context.link.emit(names)
  search.sentAtMs = search.yieldedAtMs = performance.now()
}
