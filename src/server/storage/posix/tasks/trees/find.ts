import { setImmediate as breathe } from 'node:timers/promises'
import { AppError } from '../../../../../shared/domain/failure.ts'
import { createNameMatch } from '../../../../../shared/domain/name-query.ts'
import type { NameQuery } from '../../../../../shared/domain/name-query.ts'
import type { Path } from '../../../../../shared/domain/path.ts'
import { compareText } from '../../../../../shared/domain/sorting.ts'
import { errnoOf, hold, openAt, opening, reopen } from '../../calls/descriptors.ts'
import type { PackedNames } from '../../calls/packed-names.ts'
import { unpackNames } from '../../calls/packed-names.ts'
import { mark, marksOf } from '../../listing/seen.ts'
import { findFolder, findTargets, pathBelow } from '../../resolve.ts'
import type { Found, Scene } from '../../resolve.ts'

export type Find = { readonly path: Path; readonly query: NameQuery }

/** Names on their way to the main thread, which knows the rules. */
export type SentNames = {
  /** Where the search really began, links crossed. */
  readonly at: Path
  /** Below the searched folder, without a slash in front. */
  readonly paths: readonly string[]
  /** For each 1 when it is a folder. */
  readonly folders: readonly number[]
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
        open: () => openAt({ folder: descriptor, name }, opening.plainFolder),
      })
    if (search.paths.length >= mostNames) await send(search)
  }
  await pause(search)
}

type Wanted = { readonly name: string; readonly isFolder: boolean; readonly isHit: boolean }

/** The folders of a folder, and the names in it that fit, in byte order. */
async function wantedIn(search: Search, { below, descriptor }: Folder): Promise<Wanted[]> {
  const { scene, start, fits } = search
  const names = scene.calls.readNames(descriptor)
  const found = {
    path: below === '' ? start.path : pathBelow(start.path, below),
    get facts() {
      return scene.calls.facts(descriptor)
    },
  }
  const marks = marksOf(scene, { folder: descriptor, found, names })
  const wanted: Wanted[] = []
  const links: string[] = []
  for (const [index, name] of allNames(names).entries()) {
    const kind = marks[index]
    if (kind === mark.denied || kind === mark.special) continue
    const isHit = fits(name)
    if (isHit && kind === mark.link) links.push(name)
    else if (isHit || kind === mark.folder) wanted.push({ name, isFolder: kind === mark.folder, isHit })
  }
  wanted.push(...(await reachable(search, below, links)))
  return wanted.sort((a, b) => compareText(a.name, b.name))
}

const allNames = ({ bytes, starts, count }: PackedNames): string[] =>
  unpackNames(bytes.subarray(0, starts[count]))

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
  const names: SentNames = { at: start.path, paths, folders }
  await scene.link.emit(names)
  search.sentAtMs = search.breathedAtMs = performance.now()
}
