import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { isWithin, nameOf, root } from '../../../../shared/domain/path.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { Facts } from '../calls/calls.ts'
import { errnoOf, flushFolder, renameAt, unlinkAt } from '../calls/descriptors.ts'
import { isSame, kindOf } from '../facts.ts'
import { placeNew } from '../calls/place-new.ts'
import { findTarget, isOwn } from '../resolve.ts'
import type { Scene } from '../resolve.ts'
import { stat } from './look.ts'
import { moveAcross } from './move-across.ts'
import type { Spot } from './spot.ts'
import { findActable, openSpot } from './spot.ts'
import { childrenOf, judgeTree } from './trees/tree.ts'

export type Transfer = {
  readonly from: Path
  readonly to: Path
  readonly overwrite: 'create' | 'upsert'
  /** For missing folders above the new place. */
  readonly dirMode: number
  /** Judged only; nothing is moved. */
  readonly isTrial?: boolean
  /** Of a copy. */
  readonly mostBytes?: number | undefined
}

/** Renames an entry, a link itself. Onto itself nothing happens. */
export async function move(scene: Scene, transfer: Transfer): Promise<Entry> {
  const { from, to, dirMode, isTrial } = transfer
  if (from === root || to === root) throw new AppError('forbidden')
  using source = await findActable(scene, from)
  if (from === to) return stat(scene, { path: to })
  if (isWithin(to, from)) throw new AppError('into-itself')
  using old = await openSpot(scene, from)
  if (kindOf(source.facts) === 'folder') {
    await judgeTree(scene, { folder: source.descriptor, paths: [from, old.path, to] })
  }
  using place = await openSpot(scene, to, { dirMode, isTrial })
  if (kindOf(source.facts) === 'folder' && isWithin(place.path, old.path) && place.path !== old.path) {
    throw new AppError('into-itself')
  }
  if (kindOf(source.facts) === 'folder' && place.path !== to) {
    await judgeTree(scene, { folder: source.descriptor, paths: [place.path] })
  }
  scene.link.check()
  await moveTo(scene, { source: source.facts, old, place, transfer })
  if (isTrial === true) return stat(scene, { path: from })
  flushFolder(place.folder.descriptor)
  flushFolder(old.folder.descriptor)
  return stat(scene, { path: to })
}

export type Moving = {
  readonly source: Facts
  readonly old: Spot
  readonly place: Spot
  readonly transfer: Transfer
}

async function moveTo(scene: Scene, moving: Moving): Promise<void> {
  const { source, old, place, transfer } = moving
  const standing = scene.calls.lookAt(place.seat)
  if (standing !== null && isSame(standing, source)) return moveOntoItself(scene, moving)
  if (standing !== null) await refuseStanding(scene, standing, moving)
  if (transfer.isTrial === true) return
  try {
    if (standing === null) placeNew(scene.calls, old.seat, place.seat)
    else renameAt(old.seat, place.seat)
  } catch (error) {
    if (errnoOf(error) === 'EINVAL') throw new AppError('into-itself', { cause: error })
    if (errnoOf(error) !== 'EXDEV') throw error
    await moveAcross(scene, {
      source,
      old: old.seat,
      place: place.seat,
      isOver: transfer.overwrite === 'upsert',
    })
  }
}

async function refuseStanding(scene: Scene, standing: Facts, { source, transfer }: Moving): Promise<void> {
  if (isOwn(scene, standing)) throw new AppError('forbidden')
  const target = kindOf(standing) === 'link' ? await findTarget(scene, transfer.to) : standing
  if (transfer.overwrite === 'create' || kindOf(source) === 'folder') throw new AppError('name-taken')
  const kind = target === null ? 'link' : kindOf(target)
  if (kind === 'folder') throw new AppError('is-a-folder')
  if (kind === 'other') throw new AppError('forbidden')
}

/**
 * The same file under both names: only the case changes on a file system that folds it, or the names are hard links of one file,
 * which a rename would leave both.
 */
function moveOntoItself(scene: Scene, { source, old, place, transfer }: Moving): void {
  const isOneFolder = isSame(old.folder.facts, place.folder.facts)
  if (isOneFolder && old.seat.name === place.seat.name) return
  const isOneEntry =
    source.links === 1 ||
    kindOf(source) === 'folder' ||
    (isOneFolder &&
      !childrenOf(scene, place.folder.descriptor).some(({ name }) => name === nameOf(transfer.to)))
  if (!isOneEntry && transfer.overwrite === 'create') throw new AppError('name-taken')
  if (transfer.isTrial === true) return
  if (isOneEntry) renameAt(old.seat, place.seat)
  else unlinkAt(old.seat)
}
