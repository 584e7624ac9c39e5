import { closeSync, futimesSync } from 'node:fs'
import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { Overwrite } from '../../port.ts'
import type { Facts, Seat } from '../calls/calls.ts'
import { errnoOf, giveTo, openAt, opening, reopen, setMode, unlinkAt } from '../calls/descriptors.ts'
import { entryOf, etagOf, kindOf } from '../facts.ts'
import type { Identity } from '../facts.ts'
import { placeNew } from '../calls/place-new.ts'
import { isOwn } from '../resolve.ts'
import type { Scene } from '../resolve.ts'
import { refuseWithoutRoom } from './room.ts'
import type { Parents, Spot } from './spot.ts'
import { findActable, isAbsent, openSpot, openSpotForBytes } from './spot.ts'
import { noteStaged, replaceBy } from './staged.ts'
import { requireMounted } from './top.ts'

/** What may stand at a place for new bytes to go there. */
export type Condition = { readonly overwrite: Overwrite; readonly ifMatch?: string | undefined }

export type Stage = Condition & {
  readonly path: Path
  readonly dirMode: number | null
  /** How much is announced to come. */
  readonly sizeBytes?: number | undefined
}

/** A file that is being written beside the place it will have. Both descriptors belong to who asked. */
export type Staged = {
  readonly file: number
  readonly folder: number
  readonly stagedName: string
  readonly name: string
  /** The staged file's path on disk. */
  readonly realPath: string
  /** Links were crossed on the way: the place has another path than was asked for. */
  readonly isElsewhere: boolean
  /** Which folder it is, whatever path leads there. */
  readonly folderKey: string
} & Pick<Spot, 'madeDepths'>

/** Throws what would be refused without the bytes. Nothing is made: neither the hidden file nor missing folders. */
export async function checkStage(scene: Scene, input: Stage): Promise<void> {
  const spot = await openJudged(scene, input, true)
  spot[Symbol.dispose]()
}

/** Opens the place where bytes are to go; throws what is refused without them. */
export async function openJudged(scene: Scene, input: Stage, isTrial: boolean): Promise<Spot> {
  const { path, dirMode, overwrite } = input
  const parents: Parents = { dirMode, isTrial }
  const isNew = overwrite === 'create'
  const spot = await (isNew ? openSpot(scene, path, parents) : openSpotForBytes(scene, path, parents))
  try {
    await judgeStanding(scene, spot.seat, input)
    refuseWithoutRoom(spot.folder.descriptor, input.sizeBytes ?? 0)
    return spot
  } catch (error) {
    spot[Symbol.dispose]()
    throw error
  }
}

/** Throws what is refused by what stands at a place now. */
export async function judgeStanding(
  scene: Scene,
  seat: Seat,
  condition: Condition & { readonly path: Path },
): Promise<void> {
  const standing = scene.calls.lookAt(seat)
  if (condition.overwrite === 'create' && standing !== null) await refuseTaken(scene, condition.path)
  checkCondition(scene, standing, condition)
}

/** Makes the hidden file, which the journal knows of before it is there. All that can be refused without the bytes is refused here. */
export async function stage(scene: Scene, input: Stage): Promise<Staged> {
  using spot = await openJudged(scene, input, false)
  const stagedName = scene.newStagedName()
  const folder = reopen(spot.folder.descriptor, opening.followingHandle)
  try {
    const realPath = await noteStaged(scene, { folder, name: stagedName })
    const file = openAt({ folder, name: stagedName }, opening.createNew, 0o600)
    return { file, folder, stagedName, realPath, ...placeOf(spot, input.path) }
  } catch (error) {
    closeSync(folder)
    throw error
  }
}

/** What is to be known of the place that a staged file will have. */
export const placeOf = (
  { seat, folder, path: resolved, madeDepths }: Spot,
  path: Path,
): Pick<Staged, 'name' | 'isElsewhere' | 'folderKey' | 'madeDepths'> => ({
  name: seat.name,
  isElsewhere: resolved !== path,
  folderKey: keyOf(folder.facts),
  madeDepths,
})

/** Which folder it is, whatever path leads there. */
export const keyOf = ({ dev, ino }: Identity): string => `${dev}:${ino}`

export type Commit = Condition & {
  readonly staged: Staged
  readonly fileMode: number
  /** What the file says of its last change. */
  readonly modifiedMs: number
}

/** Puts a written and flushed file in its place, in one step. */
export async function commit(
  scene: Scene,
  { staged, fileMode, modifiedMs, ...condition }: Commit,
): Promise<Entry> {
  requireMounted(scene, staged.folder)
  const seat: Seat = { folder: staged.folder, name: staged.name }
  const from: Seat = { folder: staged.folder, name: staged.stagedName }
  const standing = scene.calls.lookAt(seat)
  checkCondition(scene, standing, condition)
  if (standing !== null) giveTo(staged.file, standing)
  futimesSync(staged.file, modifiedMs / 1000, modifiedMs / 1000)
  setMode(staged.file, standing === null ? fileMode : standing.mode & 0o1777)
  if (standing === null) await placeOver(scene, from, { seat, overwrite: condition.overwrite })
  else await replaceBy(scene, from, seat)
  return entryOf(staged.name, scene.calls.facts(staged.file))
}

/** The name was free a moment ago; where either will do, what came meanwhile is replaced. */
async function placeOver(
  scene: Scene,
  from: Seat,
  { seat, overwrite }: { seat: Seat; overwrite: Overwrite },
): Promise<void> {
  try {
    placeNew(scene.calls, from, seat)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || overwrite === 'create') throw error
    await replaceBy(scene, from, seat)
  }
}

/** Any entry takes its name, a link that leads to nothing too; of what may not be reached nothing more is told. */
async function refuseTaken(scene: Scene, path: Path): Promise<void> {
  try {
    const standing = await findActable(scene, path)
    standing[Symbol.dispose]()
    throw new AppError('name-taken')
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

/** Takes back what was staged; what is in place already stays. */
export function discard(_scene: Scene, { staged }: { readonly staged: Staged }): void {
  try {
    unlinkAt({ folder: staged.folder, name: staged.stagedName })
  } catch {
    // it was put in place, or its folder is gone with it
  }
}

function checkCondition(scene: Scene, standing: Facts | null, { overwrite, ifMatch }: Condition): void {
  if (standing === null) {
    if (overwrite === 'replace') throw new AppError('not-found')
    if (ifMatch !== undefined) throw new AppError('changed-meanwhile')
    return
  }
  if (isOwn(scene, standing)) throw new AppError('forbidden')
  if (overwrite === 'create') throw new AppError('name-taken')
  if (kindOf(standing) === 'folder') throw new AppError('is-a-folder')
  if (kindOf(standing) !== 'file') throw new AppError('forbidden')
  if (ifMatch !== undefined && ifMatch !== etagOf(standing)) throw new AppError('changed-meanwhile')
}
