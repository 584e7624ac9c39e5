import { AppError, codeOf } from '../../../../shared/domain/failure.ts'
import { root } from '../../../../shared/domain/path.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { Seat } from '../calls/calls.ts'
import { errnoOf, flushFolder, removeFolderAt, renameAt, unlinkAt } from '../calls/descriptors.ts'
import { kindOf } from '../facts.ts'
import { placeNew } from '../calls/place-new.ts'
import type { Scene } from '../resolve.ts'
import { findActable, openSpot } from './spot.ts'
import { noteStaged } from './staged.ts'
import { childrenOf, judgeTree, removeTree } from './trees/tree.ts'

export type Remove = {
  readonly path: Path
  readonly recursive: boolean
  /** Judged only; nothing is removed. */
  readonly isTrial?: boolean
}

export async function remove(scene: Scene, { path, recursive, isTrial }: Remove): Promise<void> {
  if (path === root) throw new AppError('forbidden')
  using found = await findActable(scene, path)
  using spot = await openSpot(scene, path)
  const isFolder = kindOf(found.facts) === 'folder'
  if (isFolder && recursive) await judgeTree(scene, { folder: found.descriptor, paths: [path, spot.path] })
  else if (isFolder && isTrial === true) refuseFilled(scene, found.descriptor)
  if (isTrial === true) return
  if (!isFolder) unlinkAt(spot.seat)
  else if (!recursive) removeEmpty(spot.seat)
  else await removeWhole(scene, spot.seat)
  flushFolder(spot.folder.descriptor)
}

function refuseFilled(scene: Scene, folder: number): void {
  if (childrenOf(scene, folder).length > 0) throw new AppError('not-empty')
}

function removeEmpty(seat: Seat): void {
  try {
    removeFolderAt(seat)
  } catch (error) {
    throw errnoOf(error) === 'EEXIST' ? new AppError('not-empty', { cause: error }) : error
  }
}

/**
 * The tree leaves everyone's sight in one step, then goes. What cannot be removed (a folder of another owner's) comes back under
 * its name with what is left, and the failure is told. `removes`: what is done to the tree.
 */
export async function removeWhole(
  scene: Scene,
  seat: Seat,
  removes: (scene: Scene, seat: Seat) => void = removeTree,
): Promise<void> {
  const aside: Seat = { folder: seat.folder, name: scene.newStagedName() }
  const isNoted = await mayNote(scene, aside)
  scene.link.check()
  if (!isNoted || !putAside(seat, aside)) return removes(scene, seat)
  try {
    removes(scene, aside)
  } catch (error) {
    placeNew(scene.calls, aside, seat)
    throw error
  }
}

/** On a full disk there is no room for a note, and removing must still be possible: the tree goes bit by bit, in sight. */
async function mayNote(scene: Scene, aside: Seat): Promise<boolean> {
  try {
    await noteStaged(scene, aside)
    return true
  } catch (error) {
    if (codeOf(error) === 'no-space') return false
    throw error
  }
}

/** False where a folder cannot be renamed at all: overlay mounts say EXDEV of what lies in a lower layer. */
function putAside(seat: Seat, aside: Seat): boolean {
  try {
    renameAt(seat, aside)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') return false
    throw error
  }
}
