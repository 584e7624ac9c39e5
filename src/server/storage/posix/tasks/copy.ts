import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { isWithin, root } from '../../../../shared/domain/path.ts'
import type { Facts } from '../calls/calls.ts'
import { flushFolder, hold } from '../calls/descriptors.ts'
import { isSame, kindOf } from '../facts.ts'
import { find, findTarget, isOwn } from '../resolve.ts'
import type { Found, Scene } from '../resolve.ts'
import type { RoomyScene } from './copy-bytes.ts'
import { copyOver } from './copy-over.ts'
import { copyTree, copyWholeTree, flushCopied } from './trees/copy-tree.ts'
import { stat } from './look.ts'
import type { Transfer } from './move.ts'
import { openSpot, openSpotForBytes } from './spot.ts'
import { judgeTree, openChild } from './trees/tree.ts'

/** Copies what a path leads to; a link named as the source counts as its target. */
export async function copy(anyRoom: Scene, transfer: Transfer): Promise<Entry> {
  const { from, to, mostBytes } = transfer
  const scene: RoomyScene = mostBytes === undefined ? anyRoom : { ...anyRoom, room: { leftBytes: mostBytes } }
  using source = await find(scene, from)
  const kind = kindOf(source.facts)
  if (kind === 'other') throw new AppError('forbidden')
  if (to === from) throw new AppError('name-taken')
  if (kind === 'folder' && isWithin(to, from)) throw new AppError('into-itself')
  if (to === root) throw new AppError('forbidden')
  if (kind === 'folder') await copyFolder(scene, source, transfer)
  else await copyFile(scene, source, transfer)
  return stat(scene, { path: transfer.isTrial === true ? from : to })
}

async function copyFile(scene: Scene, source: Found, transfer: Transfer): Promise<void> {
  const { to, overwrite, dirMode, isTrial } = transfer
  using spot = await (overwrite === 'create' ? openSpot : openSpotForBytes)(scene, to, {
    dirMode,
    isTrial,
  })
  const standing = scene.calls.lookAt(spot.seat)
  if (standing !== null) await refuseStanding(scene, standing, { source, transfer: { to, overwrite } })
  if (isTrial === true) return
  await copyOver(scene, {
    source: source.descriptor,
    facts: source.facts,
    seat: spot.seat,
    standing,
    manner: 'copy',
  })
  flushFolder(spot.folder.descriptor)
}

type Refusing = { readonly source: Found; readonly transfer: Pick<Transfer, 'to' | 'overwrite'> }

async function refuseStanding(scene: Scene, standing: Facts, { source, transfer }: Refusing): Promise<void> {
  if (isOwn(scene, standing)) throw new AppError('forbidden')
  if (kindOf(standing) === 'link') await findTarget(scene, transfer.to)
  if (transfer.overwrite === 'create' || isSame(standing, source.facts)) throw new AppError('name-taken')
  if (kindOf(standing) === 'folder') throw new AppError('is-a-folder')
  if (kindOf(standing) !== 'file') throw new AppError('forbidden')
}

async function copyFolder(scene: Scene, source: Found, transfer: Transfer): Promise<void> {
  const { from, to, overwrite, dirMode, isTrial } = transfer
  await judgeTree(scene, { folder: source.descriptor, paths: [from, source.path, to] })
  using spot = await openSpot(scene, to, { dirMode, isTrial })
  if (isWithin(spot.path, source.path) && spot.path !== source.path) throw new AppError('into-itself')
  if (spot.path !== to) await judgeTree(scene, { folder: source.descriptor, paths: [spot.path] })
  const standing = scene.calls.lookAt(spot.seat)
  if (standing !== null) {
    if (kindOf(standing) === 'link') await findTarget(scene, to)
    const isMerge = overwrite === 'upsert' && kindOf(standing) === 'folder' && !isSame(standing, source.facts)
    if (!isMerge) throw new AppError('name-taken')
  }
  if (isTrial === true) return
  if (standing === null) {
    await copyWholeTree(scene, { source, seat: spot.seat, manner: 'copy' })
  } else {
    using folder = hold(openChild(spot.seat.folder, spot.seat.name))
    await copyTree(scene, {
      from: source.descriptor,
      path: source.path,
      into: folder.descriptor,
      to: spot.path,
      landing: [standing],
      manner: 'copy',
    })
    flushCopied(scene, folder.descriptor)
  }
  flushFolder(spot.folder.descriptor)
}
