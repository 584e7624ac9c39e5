import { closeSync } from 'node:fs'
import type { Path } from '../../../../shared/domain/path.ts'
import { flushFolder, openAt, opening, realPathOf, reopen, unlinkAt } from '../calls/descriptors.ts'
import { kindOf, modifiedMsOf } from '../facts.ts'
import type { Scene } from '../resolve.ts'
import { isAbsent, openSpotForBytes } from './spot.ts'
import type { Staged } from './stage.ts'
import { placeOf } from './stage.ts'

/** An upload by its place and the name of its staged file. */
export type Upload = { readonly path: Path; readonly stagedName: string }

export type Resumed = Staged & { readonly sizeBytes: number }

/** Opens what is staged already for a place, to append to it. Both descriptors belong to who asked. */
export async function resume(scene: Scene, { path, stagedName }: Upload): Promise<Resumed> {
  using spot = await openSpotForBytes(scene, path, { dirMode: null })
  const folder = reopen(spot.folder.descriptor, opening.followingHandle)
  try {
    const file = openAt({ folder, name: stagedName }, opening.append)
    const realPath = `${realPathOf(folder)}/${stagedName}`
    const { sizeBytes } = scene.calls.facts(file)
    return { file, folder, stagedName, realPath, sizeBytes, ...placeOf(spot, path) }
  } catch (error) {
    closeSync(folder)
    throw error
  }
}

/** How long the staged file is. */
export async function lookAtStaged(scene: Scene, { path, stagedName }: Upload): Promise<number> {
  using spot = await openSpotForBytes(scene, path, { dirMode: null })
  return scene.calls.factsAt({ folder: spot.folder.descriptor, name: stagedName }).sizeBytes
}

export type Placed = { readonly path: Path; readonly sizeBytes: number; readonly modifiedMs: number }

/**
 * Whether what stands at a place is the file that was put there at this time, for a stop may have kept everybody from hearing of it,
 * and the folder from being flushed. A disk keeps no more of a time than it can: the millisecond decides.
 */
export async function isPlaced(scene: Scene, { path, sizeBytes, modifiedMs }: Placed): Promise<boolean> {
  try {
    using spot = await openSpotForBytes(scene, path, { dirMode: null })
    const facts = scene.calls.lookAt(spot.seat)
    if (facts === null || kindOf(facts) !== 'file' || facts.sizeBytes !== sizeBytes) return false
    if (Math.round(modifiedMsOf(facts)) !== Math.round(modifiedMs)) return false
    flushFolder(spot.seat.folder)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** Removes a staged file; one that is gone, with its folder maybe, is no failure. */
export async function abandon(scene: Scene, { path, stagedName }: Upload): Promise<void> {
  try {
    using spot = await openSpotForBytes(scene, path, { dirMode: null })
    unlinkAt({ folder: spot.folder.descriptor, name: stagedName })
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}
