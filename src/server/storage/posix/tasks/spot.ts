import { basename, dirname } from 'node:path'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOf, namesOf, parentOf, root } from '../../../../shared/domain/path.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { Seat } from '../calls/calls.ts'
import {
  errnoOf,
  hold,
  makeFolderAt,
  openAnywhere,
  openAt,
  opening,
  realPathOf,
} from '../calls/descriptors.ts'
import { kindOf } from '../facts.ts'
import type { Found, Scene } from '../resolve.ts'
import {
  find,
  findEntry,
  findFolder,
  findMissing,
  findTarget,
  judge,
  pathBelow,
  refuseOwnName,
} from '../resolve.ts'

/** A place in an open folder, where something stands or can be put. Closed at the end of the block. */
export type Spot = {
  readonly seat: Seat
  readonly folder: Found
  /** Inside the root, with no link left in it. */
  readonly path: Path
  /** How deep the folders lie, on the path that was asked for, that were made on the way: the topmost first. */
  readonly madeDepths: readonly number[]
  [Symbol.dispose](): void
}

/**
 * What is made on the way to a place: nothing, or the missing folders with this mode. In a trial they are judged and not made; the
 * spot is then the place of the topmost one that is missing.
 */
export type Parents = { readonly dirMode: number | null; readonly isTrial?: boolean | undefined }

/** Opens the folder that a path's last name lies in. The root itself has no place. */
export async function openSpot(
  scene: Scene,
  path: Path,
  parents: Parents = { dirMode: null },
): Promise<Spot> {
  if (path === root) throw new AppError('forbidden')
  const parent = await openParent(scene, parentOf(path), parents)
  const { folder, missing, at, madeDepths } = parent
  const spot: Spot = {
    seat: { folder: folder.descriptor, name: missing ?? nameOf(path) },
    folder,
    path: pathBelow(at, nameOf(path)),
    madeDepths,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
  try {
    await judgeIn(scene, parent, path)
    return spot
  } catch (error) {
    spot[Symbol.dispose]()
    throw error
  }
}

/** Refuses the place of a path in its folder, whether or not something stands there. */
export async function judgeIn(scene: Scene, { folder, missing, at }: Parent, path: Path): Promise<void> {
  const resolved = pathBelow(at, nameOf(path))
  if (resolved !== path) await judge(scene, resolved)
  refuseOwnName(scene, folder.facts, missing ?? nameOf(path))
}

/**
 * Where bytes for a path go: its own place, or, where a link stands there, the place of what the link leads to. A link that
 * leaves is `forbidden`, whatever is asked.
 */
export async function openSpotForBytes(scene: Scene, path: Path, parents: Parents): Promise<Spot> {
  const spot = await openSpot(scene, path, parents)
  const facts = scene.calls.lookAt(spot.seat)
  if (facts === null || kindOf(facts) !== 'link') return spot
  spot[Symbol.dispose]()
  if ((await findTarget(scene, path)) === null)
    return openSpot(scene, await judged(scene, findMissing(scene, path)))
  using target = await find(scene, path)
  return target.path === path ? openSpotOutside(scene, target) : openSpot(scene, target.path)
}

/** Only with `--followExternalSymlinks` does a link lead to where no path of ours does. */
function openSpotOutside({ calls }: Scene, { descriptor, path }: Found): Spot {
  const real = realPathOf(descriptor)
  const handle = hold(openAnywhere(dirname(real)))
  const folder: Found = { ...handle, facts: calls.facts(handle.descriptor), path: parentOf(path) }
  const close = (): void => handle[Symbol.dispose]()
  const seat = { folder: handle.descriptor, name: basename(real) }
  return { seat, folder, path, madeDepths: [], [Symbol.dispose]: close }
}

async function judged(scene: Scene, path: Path): Promise<Path> {
  await judge(scene, path)
  return path
}

/** Refuses a link that leaves or is denied; anything else may be acted upon. */
export async function findActable(scene: Scene, path: Path): Promise<Found> {
  const found = await findEntry(scene, path)
  try {
    if (kindOf(found.facts) === 'link') await findTarget(scene, path)
    return found
  } catch (error) {
    found[Symbol.dispose]()
    throw error
  }
}

/** `at` is where the folder is, or in a trial would be; then `folder` is the one above the first that is missing. */
export type Parent = Pick<Spot, 'folder' | 'madeDepths'> & {
  readonly missing: string | null
  readonly at: Path
}

const standingParent = (folder: Found, madeDepths: readonly number[] = []): Parent => ({
  folder,
  missing: null,
  at: folder.path,
  madeDepths,
})

/** Opens the folder that something is to be put into; its holder closes it. */
export async function openParent(scene: Scene, path: Path, { dirMode, isTrial }: Parents): Promise<Parent> {
  try {
    return standingParent(await findFolder(scene, path))
  } catch (error) {
    if (dirMode === null || path === root || !isAbsent(error)) throw error
  }
  if (isTrial === true) return judgeMissing(scene, path)
  const madeDepths = await makeMissing(scene, path, dirMode)
  return standingParent(await findFolder(scene, path), madeDepths)
}

/** Nothing is there. */
export const isAbsent = (error: unknown): boolean =>
  errnoOf(error) === 'ENOENT' || (error instanceof AppError && error.code === 'not-found')

/** Makes one folder after the other, each by the handle of the one above it. */
async function makeMissing(scene: Scene, path: Path, dirMode: number): Promise<readonly number[]> {
  const { above, names } = await findAbove(scene, path)
  const depth = namesOf(path).length - names.length
  const madeDepths: number[] = []
  using start = above
  let current = hold(openAt({ folder: start.descriptor, name: '.' }, opening.folderHandle))
  let made = start.path
  for (const [at, name] of names.entries()) {
    using parent = current
    const seat = { folder: parent.descriptor, name }
    made = pathBelow(made, name)
    await judge(scene, made)
    refuseOwnName(scene, scene.calls.facts(parent.descriptor), name)
    if (makeOrKeep(seat, dirMode)) madeDepths.push(depth + at + 1)
    current = hold(openAt(seat, opening.folderHandle))
  }
  current[Symbol.dispose]()
  return madeDepths
}

/** Judges what `makeMissing` would make. */
async function judgeMissing(scene: Scene, path: Path): Promise<Parent> {
  const { above, names } = await findAbove(scene, path)
  try {
    let made = above.path
    for (const name of names) {
      made = pathBelow(made, name)
      await judge(scene, made)
    }
    const [missing = ''] = names
    // A link that leads to nothing takes the name.
    if (scene.calls.lookAt({ folder: above.descriptor, name: missing }) !== null)
      throw new AppError('not-a-folder')
    return { folder: above, missing, at: made, madeDepths: [] }
  } catch (error) {
    above[Symbol.dispose]()
    throw error
  }
}

/** The nearest folder that is there, and the names that are missing below it. */
async function findAbove(
  scene: Scene,
  path: Path,
): Promise<{ readonly above: Found; readonly names: readonly string[] }> {
  const names = namesOf(path)
  let depth = names.length - 1
  let above = await nearest(scene, names, depth)
  while (above === null) {
    depth -= 1
    above = await nearest(scene, names, depth)
  }
  return { above, names: names.slice(depth) }
}

async function nearest(scene: Scene, names: readonly string[], depth: number): Promise<Found | null> {
  try {
    return await findFolder(scene, `/${names.slice(0, depth).join('/')}` as Path)
  } catch (error) {
    if (isAbsent(error) && depth > 0) return null
    throw error
  }
}

/** Somebody else may make it at the same moment; then it is not we who did. */
function makeOrKeep(seat: Seat, dirMode: number): boolean {
  try {
    makeFolderAt(seat, dirMode)
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return false
  }
}
