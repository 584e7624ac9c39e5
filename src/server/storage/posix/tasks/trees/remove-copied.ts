import { AppError } from '../../../../../shared/domain/failure.ts'
import type { Facts, Seat } from '../../calls/calls.ts'
import { errnoOf, hold, removeFolderAt, unlinkAt } from '../../calls/descriptors.ts'
import { kindOf } from '../../facts.ts'
import { isStagedName } from '../../reserved.ts'
import type { Scene } from '../../resolve.ts'
import { childrenOf, openChild, removeTree } from './tree.ts'

type Copied = {
  readonly old: Seat
  readonly copy: Seat
  /** When the copying began, by our own clock. */
  readonly sinceMs: number
}

/**
 * Removes a tree of which an exact copy was made, as far as it is still what was copied. What was saved there meanwhile has been answered
 * and is in no copy: with that the rest stays, and it is `changed-meanwhile`.
 */
export function removeCopied(scene: Scene, copied: Copied): void {
  const { old } = copied
  removeChildren(scene, copied)
  try {
    removeFolderAt(old)
  } catch (error) {
    throw errnoOf(error) === 'ENOTEMPTY' ? changed(error) : error
  }
}

function removeChildren(scene: Scene, { old, copy, sinceMs }: Copied): void {
  using from = hold(openChild(old.folder, old.name))
  using into = hold(openChild(copy.folder, copy.name))
  for (const { name, isFolder } of childrenOf(scene, from.descriptor)) {
    scene.link.beat()
    const seat: Seat = { folder: from.descriptor, name }
    const below: Copied = { old: seat, copy: { folder: into.descriptor, name }, sinceMs }
    if (!isStagedName(name)) refuseUnlike(scene, below)
    if (!isFolder) unlinkAt(seat)
    else if (isStagedName(name)) removeTree(scene, seat)
    else removeCopied(scene, below)
  }
}

function refuseUnlike({ calls }: Scene, { old, copy, sinceMs }: Copied): void {
  const [was, is] = [calls.lookAt(old), calls.lookAt(copy)]
  if (was === null || is === null || kindOf(was) !== kindOf(is)) throw changed()
  // Of a link no time is kept, and of a folder its entries tell.
  if (kindOf(was) === 'file' && !isLike(was, is, sinceMs)) throw changed()
}

/** Clocks of other machines may be wrong by as much. */
const clocksApartMs = 3_600_000

/** Disks that keep no times at all are known by this: nothing was changed lately. */
function isLike(was: Facts, is: Facts, sinceMs: number): boolean {
  if (was.sizeBytes !== is.sizeBytes) return false
  if (isSameTime(was.modifiedNs, is.modifiedNs)) return true
  return Number(was.changedNs / 1_000_000n) < sinceMs - clocksApartMs
}

/** Times are copied to a few microseconds; some disks keep hundredths of a second, or every other second. */
const [fewMicroseconds, hundredth, twoSeconds] = [10_000n, 10_000_000n, 2_000_000_000n]

function isSameTime(was: bigint, is: bigint): boolean {
  const apart = was < is ? is - was : was - is
  return apart <= fewMicroseconds || (is % hundredth === 0n && apart < twoSeconds)
}

const changed = (cause?: unknown): AppError =>
  new AppError('changed-meanwhile', { reason: 'something was saved where it was being moved from', cause })
