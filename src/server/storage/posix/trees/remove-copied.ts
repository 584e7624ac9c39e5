import { AppError } from '../../../../shared/domain/failure.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { kindOf, type FileStat } from '../calls/file-stat.ts'
import { errnoOf, disposable, removeFolderAt, unlinkAt } from '../calls/descriptors.ts'
import { isStagedName } from '../resolution/reserved-names.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { childrenOf, openChild, removeTree } from './tree.ts'

type CopiedTree = {
  readonly old: EntryLocation
  readonly copy: EntryLocation
  /** Time at which the copy began, in milliseconds of this machine's clock. */
  readonly sinceMs: number
}

/**
 * Removes a tree after an exact copy was made of it. Throws `changed-meanwhile` when an entry differs from the copy,
 * and does not remove the remaining tree. Such an entry was saved during the copy: the save was confirmed to a client,
 * but the copy lacks its bytes.
 */
export function removeCopiedTree(context: TaskContext, copied: CopiedTree): void {
  const { old } = copied
  removeChildren(context, copied)
  try {
    removeFolderAt(old)
  } catch (error) {
    throw errnoOf(error) === 'ENOTEMPTY' ? changed(error) : error
  }
}

function removeChildren(context: TaskContext, { old, copy, sinceMs }: CopiedTree): void {
  using from = disposable(openChild(old.folder, old.name))
  using into = disposable(openChild(copy.folder, copy.name))
  for (const { name, isFolder } of childrenOf(context, from.descriptor)) {
    context.link.reportProgress()
    const location: EntryLocation = { folder: from.descriptor, name }
    const below: CopiedTree = { old: location, copy: { folder: into.descriptor, name }, sinceMs }
    if (!isStagedName(name)) refuseChanged(context, below)
    if (!isFolder) unlinkAt(location)
    else if (isStagedName(name)) removeTree(context, location)
    else removeCopiedTree(context, below)
  }
}

function refuseChanged({ calls }: TaskContext, { old, copy, sinceMs }: CopiedTree): void {
  const [original, copied] = [calls.statIfExists(old), calls.statIfExists(copy)]
  if (original === null || copied === null || kindOf(original) !== kindOf(copied)) throw changed()
  // Links are not compared, because the times of their copies differ. Folders are compared entry by entry.
  if (kindOf(original) === 'file' && !isUnchanged(original, copied, sinceMs)) throw changed()
}

/**
 * Maximum expected difference in milliseconds (one hour) between the clock of this machine and that of a file server.
 */
const maxClockDifferenceMs = 3_600_000

/**
 * Returns true when a file has not changed since it was copied. On disks that do not store modification times, a file
 * counts as unchanged when its last change was more than `maxClockDifferenceMs` before the copy.
 */
function isUnchanged(original: FileStat, copied: FileStat, sinceMs: number): boolean {
  if (original.sizeBytes !== copied.sizeBytes) return false
  if (isSameTime(original.modifiedNs, copied.modifiedNs)) return true
  return Number(original.changedNs / 1_000_000n) < sinceMs - maxClockDifferenceMs
}

/**
 * Tolerances in nanoseconds for comparing the modification time of a file with that of its copy. Times are copied with
 * a precision of a few microseconds, but some file systems store them in hundredths of a second or in steps of two
 * seconds.
 */
const [fewMicroseconds, hundredth, twoSeconds] = [10_000n, 10_000_000n, 2_000_000_000n]

function isSameTime(original: bigint, copied: bigint): boolean {
  const difference = original < copied ? copied - original : original - copied
  return difference <= fewMicroseconds || (copied % hundredth === 0n && difference < twoSeconds)
}

const changed = (cause?: unknown): AppError =>
  new AppError('changed-meanwhile', {
    reason: 'a file was saved in the source while it was being moved',
    cause,
  })
