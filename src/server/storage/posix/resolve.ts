import { closeSync } from 'node:fs'
import { AppError } from '../../../shared/domain/failure.ts'
import { nameOf, namesOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { Link } from '../../workers/serve.ts'
import type { Calls, Facts } from './calls/calls.ts'
import { errnoOf, hold, openAnywhere, openAt, openFreely, opening, realPathOf } from './calls/descriptors.ts'
import { isSame, kindOf } from './facts.ts'
import { belowRoot, insidePath } from './calls/inside.ts'
import { walkLinks, type Reached } from './calls/walk-links.ts'
import type { OwnFiles } from './reserved.ts'
import { isReserved, mayBeOwn } from './reserved.ts'
import type { OpenedRoot } from './tasks/look.ts'
import type { Top } from './tasks/top.ts'

/** The root that a request is confined to, as a thread is told of it. */
export type Where = {
  readonly root: number
  readonly top: Top
  /** Names that are denied right below the root: the server's own, where the root is the volume's top. */
  readonly topNames: readonly string[]
  readonly followsExternal: boolean
  /** Whether rules exist; they can only be asked in the main thread. */
  readonly isJudged: boolean
  readonly own: OwnFiles
}

/** What every task works with. */
export type Scene = {
  readonly calls: Calls
  readonly link: Link
  readonly where: Where
  /** A name for what is not in place yet. */
  readonly newStagedName: () => string
}

/** An entry that is held by a handle, whatever happens to its name; closed at the end of the block. */
export type Found = {
  readonly descriptor: number
  readonly facts: Facts
  /** Where it is, inside the root, with no link left in it. */
  readonly path: Path
  [Symbol.dispose](): void
}

/** Asked in the main thread: may these paths be reached? Answered by a byte each. Told there: what was staged, another top. */
export type Question =
  | { readonly kind: 'paths'; readonly paths: readonly string[]; readonly by: 'all' | 'permits' }
  | { readonly kind: 'children'; readonly folder: Path; readonly names: Uint8Array }
  | { readonly kind: 'staged'; readonly path: string }
  | { readonly kind: 'top'; readonly opened: OpenedRoot }

export const pathBelow = (folder: Path, name: string): Path =>
  (folder === root ? `/${name}` : `${folder}/${name}`) as Path

/** Finds what a path leads to where no link is; null where one is. */
export function findPlain(scene: Scene, path: Path): Found | null {
  const entry = openPlain(scene, path)
  if (entry === null || kindOf(entry.facts) !== 'link') return entry && refuseOwn(scene, entry)
  entry[Symbol.dispose]()
  return null
}

/** Finds what a path leads to, links followed: those that stay inside. */
export async function find(scene: Scene, path: Path): Promise<Found> {
  const entry = findPlain(scene, path)
  if (entry !== null) return entry
  const reached = crossLinks(scene, path)
  try {
    await judge(scene, reached.path)
  } catch (error) {
    if (reached.descriptor !== null) closeSync(reached.descriptor)
    throw error
  }
  if (reached.descriptor === null) {
    refuseMissingOwn(scene, reached.path)
    throw new AppError('not-found')
  }
  return refuseOwn(scene, foundOf(scene, reached.descriptor, reached.path))
}

/** Finds the entry of that name itself; links are followed on the way to it only. */
export async function findEntry(scene: Scene, path: Path): Promise<Found> {
  const entry = openPlain(scene, path)
  if (entry !== null) return refuseOwn(scene, entry)
  using folder = await findFolder(scene, parentOf(path))
  const at = pathBelow(folder.path, nameOf(path))
  await judge(scene, at)
  refuseOwnName(scene, folder.facts, nameOf(path))
  const descriptor = openAt({ folder: folder.descriptor, name: nameOf(path) }, opening.handle)
  return refuseOwn(scene, foundOf(scene, descriptor, at))
}

/** As `find`; what is no folder is `not-a-folder`. */
export async function findFolder(scene: Scene, path: Path): Promise<Found> {
  const found = await find(scene, path)
  if (kindOf(found.facts) === 'folder') return found
  found[Symbol.dispose]()
  throw new AppError('not-a-folder')
}

/** Where a link leads: its facts, or null when that is nothing or itself; `forbidden` when it leaves or is denied. */
export async function findTarget(scene: Scene, path: Path): Promise<Facts | null> {
  try {
    using target = await find(scene, path)
    return target.facts
  } catch (error) {
    if (isDead(error)) return null
    throw error
  }
}

/** The link leads to nothing or to itself. */
function isDead(error: unknown): boolean {
  const code = error instanceof AppError ? error.code : errnoOf(error)
  return ['not-found', 'link-loop', 'ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)
}

/**
 * Where each of these links leads: facts, null for nothing, `denied` for one that leaves or may not be reached. Rules are asked
 * once for all.
 */
export async function findTargets(
  scene: Scene,
  paths: readonly Path[],
): Promise<(Facts | null | 'denied')[]> {
  const reached = paths.map((path) => lookThrough(scene, path))
  const verdicts = await judgeAll(
    scene,
    reached.map((end) => (end === 'denied' ? root : end.path)),
  )
  return reached.map((end, index) => {
    const isDenied =
      end === 'denied' || verdicts[index] !== 1 || (end.facts !== null && isOwn(scene, end.facts))
    return isDenied ? 'denied' : end.facts
  })
}

function lookThrough(
  scene: Scene,
  path: Path,
): { readonly path: Path; readonly facts: Facts | null } | 'denied' {
  try {
    const { descriptor, path: end } = crossLinks(scene, path)
    if (descriptor === null) return { path: end, facts: null }
    using found = foundOf(scene, descriptor, end)
    return { path: end, facts: found.facts }
  } catch (error) {
    return isDead(error) ? { path, facts: null } : 'denied'
  }
}

/** Where a dangling link would lead: the path inside the root at which something could be made. */
export function findMissing(scene: Scene, path: Path): Path {
  const reached = walkLinks(scene, namesOf(path))
  if (reached.descriptor !== null) closeSync(reached.descriptor)
  return reached.path
}

/** Refuses a path that rules or the server's own names deny. */
export async function judge(scene: Scene, path: Path): Promise<void> {
  const [isAllowed] = await judgeAll(scene, [path])
  if (isAllowed !== 1) throw new AppError('forbidden')
}

/** For each path 1 when it may be reached. `permits` leaves the dotfile preference out. */
export async function judgeAll(
  { where, link }: Scene,
  paths: readonly Path[],
  by: 'all' | 'permits' = 'all',
): Promise<Uint8Array> {
  const question: Question = { kind: 'paths', paths, by }
  const verdicts =
    where.isJudged && paths.length > 0
      ? ((await link.ask(question)) as Uint8Array)
      : new Uint8Array(paths.length).fill(1)
  for (const [index, path] of paths.entries()) if (isReserved(path, where.topNames)) verdicts[index] = 0
  return verdicts
}

/** Whether an entry is one of the server's own files. */
export const isOwn = ({ where }: Scene, facts: Facts): boolean =>
  where.own.files.some((file) => isSame(file, facts))

/** Refuses a name that the server keeps for itself in this folder, whether or not something has it. */
export function refuseOwnName({ where }: Scene, folder: Facts, name: string): void {
  const isTaken = where.own.prefixes.some((own) => name.startsWith(own.prefix) && isSame(own, folder))
  if (isTaken) throw new AppError('forbidden')
}

function refuseOwn(scene: Scene, found: Found): Found {
  try {
    if (isOwn(scene, found.facts)) throw new AppError('forbidden')
    if (scene.where.followsExternal) refuseOwnAnywhere(scene, found)
    else for (const path of mayBeOwn(scene.where.own, found.path)) refuseOwnPath(scene, path)
    return found
  } catch (error) {
    found[Symbol.dispose]()
    throw error
  }
}

function refuseOwnPath(scene: Scene, path: Path): void {
  const { calls, where } = scene
  const descriptor = calls.openPlain(where.root, namesOf(parentOf(path)))
  try {
    refuseOwnName(scene, calls.facts(descriptor), nameOf(path))
  } finally {
    closeSync(descriptor)
  }
}

/** Where links may lead out, no path of ours tells by which names an entry is reached. */
function refuseOwnAnywhere(scene: Scene, { descriptor }: Found): void {
  if (scene.where.own.prefixes.length === 0) return
  for (const path of mayBeOwn(scene.where.own, realPathOf(descriptor) as Path)) {
    using folder = hold(openAnywhere(parentOf(path)))
    refuseOwnName(scene, scene.calls.facts(folder.descriptor), nameOf(path))
  }
}

/** Null when a link lies on the way. A link at the end is found itself. */
function openPlain(scene: Scene, path: Path): Found | null {
  try {
    return foundOf(scene, scene.calls.openPlain(scene.where.root, namesOf(path)), path)
  } catch (error) {
    if (errnoOf(error) === 'ELOOP') return null
    if (isMissing(error)) refuseMissingOwn(scene, path)
    throw error
  }
}

const isMissing = (error: unknown): boolean => errnoOf(error) === 'ENOENT'

/** A name of ours is denied also where nothing has it, so that nothing can be told from the answer. */
function refuseMissingOwn(scene: Scene, path: Path): void {
  for (const own of mayBeOwn(scene.where.own, path)) {
    try {
      refuseOwnPath(scene, own)
    } catch (error) {
      if (error instanceof AppError) throw error
    }
  }
}

function foundOf(scene: Scene, descriptor: number, path: Path): Found {
  try {
    const facts = scene.calls.facts(descriptor)
    return { descriptor, facts, path, [Symbol.dispose]: () => closeSync(descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function crossLinks(scene: Scene, path: Path): Reached {
  const names = namesOf(path)
  const { calls, where } = scene
  if (where.followsExternal) return crossFreely(where, path)
  const descriptor = calls.openFollowing(where.root, names)
  if (descriptor === null) return walkLinks(scene, names)
  try {
    return { descriptor, path: insidePath(where.root, descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** With `--followExternalSymlinks`: the kernel follows whatever it meets. */
function crossFreely(where: Where, path: Path): Reached {
  try {
    const descriptor = openFreely(where.root, path.slice(1))
    return { descriptor, path: belowRoot(realPathOf(where.root), realPathOf(descriptor)) ?? path }
  } catch (error) {
    if (isMissing(error)) return { descriptor: null, path }
    throw error
  }
}
