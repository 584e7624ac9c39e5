import type { Path } from '../../../../shared/domain/path.ts'
import type { Facts, Seat } from '../calls/calls.ts'
import { flushFolder, hold, openAt, opening, readLinkAt, symlinkAt, unlinkAt } from '../calls/descriptors.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { kindOf } from '../facts.ts'
import type { Scene } from '../resolve.ts'
import { copyOver } from './copy-over.ts'
import { copyWholeTree } from './trees/copy-tree.ts'
import { removeWhole } from './remove.ts'

type Across = {
  readonly source: Facts
  readonly old: Seat
  readonly place: Seat
  /** What stands in the new place may be replaced. */
  readonly isOver: boolean
}

/** Moves to another device: copies all as it is, flushes it, puts it in place, and only then removes the source. */
export async function moveAcross(scene: Scene, { source, old, place, isOver }: Across): Promise<void> {
  using handle = hold(openAt(old, opening.handle))
  const kind = kindOf(source)
  if (kind === 'folder') {
    const found = { descriptor: handle.descriptor, facts: source, path: '/' as Path }
    await copyWholeTree(scene, { source: found, seat: place, manner: 'exact' })
  } else if (kind === 'file') {
    const standing = isOver ? scene.calls.lookAt(place) : null
    await copyOver(scene, {
      source: handle.descriptor,
      facts: source,
      seat: place,
      standing,
      manner: 'exact',
    })
  } else if (kind === 'link') {
    symlinkAt(readLinkAt(old), place)
  } else throw new AppError('unsupported')
  flushFolder(place.folder)
  if (kind === 'folder') await removeWhole(scene, old)
  else unlinkAt(old)
}
