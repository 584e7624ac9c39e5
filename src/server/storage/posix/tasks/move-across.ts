import type { Path } from '../../../../shared/domain/path.ts'
import type { Facts, Seat } from '../calls/calls.ts'
import { flushFolder, hold, openAt, opening, readLinkAt, symlinkAt, unlinkAt } from '../calls/descriptors.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { etagOf, kindOf } from '../facts.ts'
import type { Scene } from '../resolve.ts'
import { copyOver } from './copy-over.ts'
import { copyWholeTree } from './trees/copy-tree.ts'
import { removeCopied } from './trees/remove-copied.ts'
import { removeWhole } from './remove.ts'
import { noteStaged, replaceBy } from './staged.ts'

type Across = {
  readonly source: Facts
  readonly old: Seat
  readonly place: Seat
  /** What stands in the new place may be replaced. */
  readonly isOver: boolean
}

/** Moves to another device: copies all as it is, flushes it, puts it in place, and only then removes the source. */
export async function moveAcross(scene: Scene, across: Across): Promise<void> {
  const { source, old, place } = across
  const kind = kindOf(source)
  const sinceMs = Date.now()
  if (kind === 'folder') await copyFolder(scene, across)
  else if (kind === 'file') await copyFile(scene, across)
  else if (kind === 'link') await copyLink(scene, across)
  else throw new AppError('unsupported')
  flushFolder(place.folder)
  if (kind === 'folder')
    return removeWhole(scene, old, (_scene, seat) => removeCopied(scene, { old: seat, copy: place, sinceMs }))
  // What was saved meanwhile has been answered, and is in no copy.
  const now = scene.calls.lookAt(old)
  if (now !== null && etagOf(now) !== etagOf(source)) throw new AppError('changed-meanwhile')
  unlinkAt(old)
}

async function copyFolder(scene: Scene, { source, old, place }: Across): Promise<void> {
  using handle = hold(openAt(old, opening.handle))
  const found = { descriptor: handle.descriptor, facts: source, path: '/' as Path }
  await copyWholeTree(scene, { source: found, seat: place, manner: 'exact' })
}

async function copyFile(scene: Scene, { source, old, place, isOver }: Across): Promise<void> {
  using handle = hold(openAt(old, opening.handle))
  const standing = isOver ? scene.calls.lookAt(place) : null
  await copyOver(scene, {
    source: handle.descriptor,
    facts: source,
    seat: place,
    standing,
    manner: 'exact',
  })
}

async function copyLink(scene: Scene, { old, place, isOver }: Across): Promise<void> {
  const standing = isOver ? scene.calls.lookAt(place) : null
  if (standing === null) return symlinkAt(readLinkAt(old), place)
  const staged: Seat = { folder: place.folder, name: scene.newStagedName() }
  await noteStaged(scene, staged)
  symlinkAt(readLinkAt(old), staged)
  await replaceBy(scene, staged, place)
}
