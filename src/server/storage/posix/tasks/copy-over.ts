import type { Facts, Seat } from '../calls/calls.ts'
import { errnoOf, unlinkAt } from '../calls/descriptors.ts'
import { placeNew } from '../calls/place-new.ts'
import type { Scene } from '../resolve.ts'
import type { Manner } from './copy-bytes.ts'
import { copyBytes } from './copy-bytes.ts'
import { noteStaged, replaceBy } from './staged.ts'

export type CopyOver = {
  readonly source: number
  readonly facts: Facts
  readonly seat: Seat
  readonly standing: Facts | null
  readonly manner: Manner
}

/** Copies a file beside its place, then puts it there; a failed copy leaves nothing. */
export async function copyOver(
  scene: Scene,
  { source, facts, seat, standing, manner }: CopyOver,
): Promise<void> {
  const staged: Seat = { folder: seat.folder, name: scene.newStagedName() }
  await noteStaged(scene, staged)
  try {
    copyBytes(scene, { source, facts, seat: staged, manner })
    if (standing === null) placeNew(scene.calls, staged, seat)
    else await replaceBy(scene, staged, seat)
  } catch (error) {
    unlinkStaged(staged)
    throw error
  }
}

function unlinkStaged(staged: Seat): void {
  try {
    unlinkAt(staged)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
