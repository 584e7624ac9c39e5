import { AppError } from '../../../../shared/domain/failure.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { Seat } from '../calls/calls.ts'
import { errnoOf, hold, openAt, opening, removeFolderAt, reopen, unlinkAt } from '../calls/descriptors.ts'
import { entryKind, nameAt } from '../calls/packed-names.ts'
import { kindOfMode } from '../facts.ts'
import { isStagedName } from '../reserved.ts'
import { isOwn, judgeAll, pathBelow } from '../resolve.ts'
import type { Scene } from '../resolve.ts'

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
  /** Where the folder is, and where it is going to be (null: it is going away). */
  readonly path: Path
  readonly landing: Path | null
}

/**
 * Refuses a whole tree when rules deny something below its folder or the place where that would land: nothing is done by
 * halves. What is merely hidden goes along.
 */
export async function judgeTree(scene: Scene, { folder, path, landing }: Judged): Promise<void> {
  const { where, link } = scene
  if (!where.isJudged && where.own.files.length === 0) return
  link.check()
  const children = childrenOf(scene, folder).filter(({ name }) => !isStagedName(name))
  const paths = children.flatMap(({ name }) => [
    pathBelow(path, name),
    ...(landing === null ? [] : [pathBelow(landing, name)]),
  ])
  const verdicts = where.isJudged ? await judgeAll(scene, paths, 'permits') : new Uint8Array()
  if (verdicts.includes(0)) throw new AppError('forbidden')
  for (const { name, isFolder } of children) {
    refuseOwnAt(scene, { folder, name })
    if (!isFolder) continue
    using child = hold(openChild(folder, name))
    const below = landing === null ? null : pathBelow(landing, name)
    await judgeTree(scene, { folder: child.descriptor, path: pathBelow(path, name), landing: below })
  }
}

function refuseOwnAt(scene: Scene, seat: Seat): void {
  const { calls, where } = scene
  if (where.own.files.length === 0) return
  try {
    if (isOwn(scene, calls.factsAt(seat))) throw new AppError('forbidden')
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

/** Empties an open folder. Links are unlinked, never followed; what comes meanwhile is removed, too. */
export function clearFolder(scene: Scene, folder: number): void {
  for (const { name, isFolder } of childrenOf(scene, folder)) {
    const seat = { folder, name }
    if (isFolder) removeTree(scene, seat)
    else unlinkOrGone(seat)
  }
}

/** Removes a folder with all below it. */
export function removeTree(scene: Scene, seat: Seat): void {
  for (let tries = 3; ; tries -= 1) {
    using folder = hold(openChild(seat.folder, seat.name))
    clearFolder(scene, folder.descriptor)
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
