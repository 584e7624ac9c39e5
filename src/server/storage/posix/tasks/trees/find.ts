import { setImmediate as breathe } from 'node:timers/promises'
import { AppError } from '../../../../../shared/domain/failure.ts'
import { createNameMatch, createTextMatch } from '../../../../../shared/domain/name-query.ts'
import type { NameQuery } from '../../../../../shared/domain/name-query.ts'
import type { Path } from '../../../../../shared/domain/path.ts'
import { compareText } from '../../../../../shared/domain/sorting.ts'
import { errnoOf, hold, opening, reopen } from '../../calls/descriptors.ts'
import type { PackedNames, Packer } from '../../calls/packed-names.ts'
import { createPacker, nameAt, textOfNames, unpackNames } from '../../calls/packed-names.ts'
import { mark, marksOf } from '../../listing/seen.ts'
import { findFolder, findTargets, pathBelow } from '../../resolve.ts'
import type { Found, Scene } from '../../resolve.ts'

export type Find = { readonly path: Path; readonly query: NameQuery }

/** Names on their way to the main thread, which knows the rules. */
export type SentNames = {
  /** Where the search really began, links crossed. */
  readonly at: Path
  /** Below the searched folder, without a slash in front, a NUL between each two: thousands of strings would be copied one by one. */
  readonly paths: string
  /** For each 1 when it is a folder. */
  readonly folders: Uint8Array
}

/** Names sent at once; the first few go as soon as they are found. */
const mostNames = 2048
/** Found names wait no longer than this for others. */
const patienceMs = 50
/** Other tasks of the thread wait no longer than this. */
const turnMs = 8

type Search = {
  readonly scene: Scene
  readonly start: Found
  readonly path: Path
  readonly fits: (name: string) => boolean
  readonly mayHoldFits: (names: string) => boolean
  /** Holds the names of one folder after the other: memory of its own for each of 20,000 folders is more than a search needs. */
  readonly packer: Packer
  paths: string[]
  folders: number[]
  /** How many names are enough to be sent. */
  enough: number
  sentAtMs: number
  breathedAtMs: number
}

/**
 * Names below a folder that fit, depth first, in byte order. Only folders are opened, nothing else is looked at. A folder that is
 * missing or cannot be read holds none (contract 7).
 */
export async function find(scene: Scene, { path, query }: Find): Promise<void> {
  using start = await openStart(scene, path)
  if (start === null) return
  const nowMs = performance.now()
  const search: Search = {
    scene,
    start,
    path,
    fits: createNameMatch(query),
    mayHoldFits: createTextMatch(query),
    packer: createPacker(true),
    paths: [],
    folders: [],
    enough: 1,
    sentAtMs: nowMs,
    breathedAtMs: nowMs,
  }
  await enter(search, { below: '', open: () => reopen(start.descriptor, opening.folder) })
  await send(search)
}

async function openStart(scene: Scene, path: Path): Promise<Found | null> {
  try {
    return await findFolder(scene, path)
  } catch (error) {
    if (isNothing(error)) return null
    throw error
  }
}

/** Missing, no folder, or not to be read: none of it is a fault of a search. What rules deny stays denied. */
function isNothing(error: unknown): boolean {
  const code = error instanceof AppError ? error.code : errnoOf(error)
  return ['not-found', 'not-a-folder', 'link-loop', ...passedOver].includes(code)
}

const passedOver = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']

/** A folder to enter: `below` is its path from the start, with a slash at the end; empty for the start itself. */
type Entering = { readonly below: string; readonly open: () => number }

async function enter(search: Search, { below, open }: Entering): Promise<void> {
  search.scene.link.check()
  let descriptor: number
  try {
    descriptor = open()
  } catch (error) {
    if (passedOver.includes(errnoOf(error))) return
    throw error
  }
  using folder = hold(descriptor)
  await take(search, { below, descriptor: folder.descriptor })
}

type Folder = { readonly below: string; readonly descriptor: number }

async function take(search: Search, { below, descriptor }: Folder): Promise<void> {
  for (const { name, isFolder, isHit } of await wantedIn(search, { below, descriptor })) {
    const path = below + name
    if (isHit) {
      search.paths.push(path)
      search.folders.push(Number(isFolder))
    }
    if (isFolder)
      await enter(search, {
        below: `${path}/`,
        open: () => search.scene.calls.openFolder({ folder: descriptor, name }),
      })
    if (search.paths.length >= mostNames) await send(search)
  }
  await pause(search)
}

type Wanted = { readonly name: string; readonly isFolder: boolean; readonly isHit: boolean }

/** The folders of a folder, and the names in it that fit, in byte order. */
async function wantedIn(search: Search, { below, descriptor }: Folder): Promise<Wanted[]> {
  const { scene, start, packer } = search
  const names = scene.calls.readNames(descriptor, packer)
  const found = {
    path: below === '' ? start.path : pathBelow(start.path, below),
    get facts() {
      return scene.calls.facts(descriptor)
    },
  }
  const marks = marksOf(scene, { folder: descriptor, found, names })
  const text = textOfNames(names)
  const wanted =
    text === null || search.mayHoldFits(text)
      ? await fitting(search, { below, names, marks, text })
      : foldersAmong(names, marks)
  const compare = text === null || surrogates.test(text) ? compareText : compareUnits
  return wanted.sort((a, b) => compare(a.name, b.name))
}

/** Without any of these, the order of a string's units is that of its bytes. */
const surrogates = /[\uD800-\uDFFF]/
const compareUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

type Looked = {
  readonly below: string
  readonly names: PackedNames
  readonly marks: Uint8Array
  /** All names, or null where they must be read one by one. */
  readonly text: string | null
}

async function fitting(search: Search, { below, names, marks, text }: Looked): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  const links: string[] = []
  const all =
    text === null ? unpackNames(names.bytes.subarray(0, names.starts[names.count])) : text.split('\0')
  for (let index = 0; index < names.count; index += 1) {
    const kind = marks[index]
    if (kind === mark.denied || kind === mark.special) continue
    const name = all[index] ?? ''
    const isHit = search.fits(name)
    if (isHit && kind === mark.link) links.push(name)
    else if (isHit || kind === mark.folder) wanted.push({ name, isFolder: kind === mark.folder, isHit })
  }
  wanted.push(...(await reachable(search, below, links)))
  return wanted
}

/** No name was made a string but those of folders. */
function foldersAmong(names: PackedNames, marks: Uint8Array): Wanted[] {
  const folders: Wanted[] = []
  for (let index = 0; index < names.count; index += 1) {
    if (marks[index] !== mark.folder) continue
    folders.push({ name: nameAt(names, index), isFolder: true, isHit: false })
  }
  return folders
}

/** Links that lead somewhere inside which may be reached, or to nothing there. */
async function reachable(
  { scene, path }: Search,
  below: string,
  links: readonly string[],
): Promise<Wanted[]> {
  const paths = links.map((name) => pathBelow(path, below + name))
  const targets = await findTargets(scene, paths)
  return links
    .filter((_, index) => targets[index] !== 'denied')
    .map((name) => ({ name, isFolder: false, isHit: true }))
}

/** After each folder: sends what was found if it is enough or old enough, and lets others have the thread. */
async function pause(search: Search): Promise<void> {
  const nowMs = performance.now()
  const count = search.paths.length
  if (count >= search.enough || (count > 0 && nowMs - search.sentAtMs > patienceMs)) return send(search)
  if (nowMs - search.breathedAtMs < turnMs) return
  await breathe()
  search.breathedAtMs = performance.now()
}

async function send(search: Search): Promise<void> {
  const { paths, folders, start, scene } = search
  if (paths.length === 0) return
  search.paths = []
  search.folders = []
  search.enough = mostNames
  const names: SentNames = { at: start.path, paths: paths.join('\0'), folders: Uint8Array.from(folders) }
  await scene.link.emit(names)
  search.sentAtMs = search.breathedAtMs = performance.now()
}
