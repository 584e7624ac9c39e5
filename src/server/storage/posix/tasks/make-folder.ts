import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { root } from '../../../../shared/domain/path.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { errnoOf, flushNewFolder, makeFolderAt } from '../calls/descriptors.ts'
import { entryOf } from '../facts.ts'
import type { Scene } from '../resolve.ts'
import { stat } from './look.ts'
import { openSpot } from './spot.ts'

export type MakeFolder = {
  readonly path: Path
  readonly hasParents: boolean
  readonly mayExist: boolean
  readonly dirMode: number
  /** Judged only; nothing is made. */
  readonly isTrial?: boolean
}

export async function makeFolder(scene: Scene, input: MakeFolder): Promise<Entry | null> {
  const { path, dirMode, hasParents, isTrial } = input
  if (path === root) return existing(scene, input)
  using spot = await openSpot(scene, path, { dirMode: hasParents ? dirMode : null, isTrial })
  if (isTrial === true) return scene.calls.lookAt(spot.seat) === null ? null : existing(scene, input)
  try {
    makeFolderAt(spot.seat, dirMode)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return existing(scene, input)
    throw error
  }
  flushNewFolder(spot.seat)
  return entryOf(spot.seat.name, scene.calls.factsAt(spot.seat))
}

/** A folder that is there already, or a link to one, is as good as a new one to who says so. */
async function existing(scene: Scene, { path, mayExist }: MakeFolder): Promise<Entry> {
  const entry = await stat(scene, { path })
  const isFolder = (entry.target?.kind ?? entry.kind) === 'folder'
  if (mayExist && isFolder) return entry
  throw new AppError('name-taken')
}
