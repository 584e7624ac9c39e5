import { chmodSync } from 'node:fs'
import { AppError } from '../../../../../shared/domain/failure.ts'
import type { Path } from '../../../../../shared/domain/path.ts'
import type { Seat } from '../../calls/calls.ts'
import {
  errnoOf,
  hold,
  openAt,
  opening,
  pathOfDescriptor,
  realPathOf,
  removeFolderAt,
  reopen,
  unlinkAt,
} from '../../calls/descriptors.ts'
import { entryKind, nameAt } from '../../calls/packed-names.ts'
import { kindOfMode } from '../../facts.ts'
import { isStagedName } from '../../reserved.ts'
import { isOwn, judgeAll, pathBelow } from '../../resolve.ts'
import type { Scene } from '../../resolve.ts'

export type Child = { readonly name: string; readonly isFolder: boolean }

/** The entries of a folder that is open as a handle, in the order of the disk. */
export function childrenOf({ calls }: Scene, folder: number): Child[] {
  using readable = hold(reopen(folder, opening.folder))
  const names = calls.readNames(readable.descriptor)
  return Array.from({ length: names.count }, (_, index) => {
    const name = nameAt(names, index)
    const kind = names.kinds[index]
    const isFolder =
      kind === entryKind.unknown ? isFolderAt({ calls }, { folder, name }) : kind === entryKind.folder
    return { name, isFolder }
  })
}

function isFolderAt({ calls }: Pick<Scene, 'calls'>, seat: Seat): boolean {
  try {
    return kindOfMode(calls.factsAt(seat).mode) === 'folder'
  } catch {
    return false
  }
}

/** Opens a folder in an open one; a link in its place is refused. */
export const openChild = (folder: number, name: string): number =>
  openAt({ folder, name }, opening.folderHandle)

type Judged = {
  readonly folder: number
  /** Every path by which rules may know the folder: as asked for, as resolved, and where it is going to be. */
  readonly paths: readonly Path[]
}

/**
 * Refuses a whole tree when rules deny something below its folder or the place where that would land: nothing is done by
 * halves. What is merely hidden goes along.
 */
export async function judgeTree(scene: Scene, { folder, paths }: Judged): Promise<void> {
  if (!scene.where.isJudged && !mayHoldOwn(scene, folder)) return
  await judgeFolder(scene, { folder, paths: [...new Set(paths)] })
}

async function judgeFolder(scene: Scene, { folder, paths }: Judged): Promise<void> {
  scene.link.check()
  const children = childrenOf(scene, folder).filter(({ name }) => !isStagedName(name))
  const below = (name: string): Path[] => paths.map((path) => pathBelow(path, name))
  const verdicts = await judgeAll(
    scene,
    children.flatMap(({ name }) => below(name)),
    'permits',
  )
  if (verdicts.includes(0)) throw new AppError('forbidden')
  for (const { name, isFolder } of children) {
    refuseOwnAt(scene, { folder, name })
    if (!isFolder) continue
    using child = hold(openChild(folder, name))
    await judgeFolder(scene, { folder: child.descriptor, paths: below(name) })
  }
}

/** Whether the server keeps files of its own below a folder. */
function mayHoldOwn({ where }: Scene, folder: number): boolean {
  const { files, folders } = where.own
  if (files.length === 0) return false
  if (folders === undefined) return true
  const path = realPathOf(folder)
  return folders.some((own) => own === path || own.startsWith(path === '/' ? path : `${path}/`))
}

function refuseOwnAt(scene: Scene, seat: Seat): void {
  if (scene.where.own.files.length === 0) return
  try {
    if (isOwn(scene, scene.calls.factsAt(seat))) throw new AppError('forbidden')
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

/** `isOurs`: a tree that the server made itself, where no bits that came with a copy are in the way. */
type Removing = { readonly isOurs: boolean }

/** Empties an open folder. Links are unlinked, never followed; what comes meanwhile is removed, too. */
function clearFolder(scene: Scene, folder: number, removing: Removing): void {
  if (removing.isOurs) chmodSync(pathOfDescriptor(folder), 0o700)
  for (const { name, isFolder } of childrenOf(scene, folder)) {
    const seat = { folder, name }
    scene.link.beat()
    if (isFolder) removeTree(scene, seat, removing)
    else unlinkOrGone(seat)
  }
}

/** Removes a folder with all below it. */
export function removeTree(scene: Scene, seat: Seat, removing: Removing = { isOurs: false }): void {
  for (let tries = 3; ; tries -= 1) {
    using folder = hold(openChild(seat.folder, seat.name))
    clearFolder(scene, folder.descriptor, removing)
    try {
      removeFolderAt(seat)
      return
    } catch (error) {
      if (errnoOf(error) !== 'ENOTEMPTY' || tries === 0) throw error
    }
  }
}

function unlinkOrGone(seat: Seat): void {
  try {
    unlinkAt(seat)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
