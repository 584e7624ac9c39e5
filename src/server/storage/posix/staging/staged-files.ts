import { diskPathOf, type DiskPath } from '../../disk-path.ts'
import type { FileSystemCalls, EntryLocation } from '../calls/file-system-calls.ts'
import { errnoOf, flushFolder, linkAt, realPathOf, renameAt, unlinkAt } from '../calls/descriptors.ts'
import { extKindOf } from '../calls/ext-journal.ts'
import type { MainThreadRequest, TaskContext } from '../resolution/task-context.ts'
import { isSame, type FileStat } from '../calls/file-stat.ts'
import { nodeCalls } from '../calls/node-calls.ts'
import { statfsSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'

/**
 * Records a staged file in the journal of staged files, so that the file is removed even after a crash. Returns the
 * path of the file on disk.
 */
export async function recordStaged(
  { link }: TaskContext,
  { folder, name }: EntryLocation,
): Promise<DiskPath> {
  const path = diskPathOf(`${realPathOf(folder)}/${name}`)
  const request: MainThreadRequest = { kind: 'staged', path }
  await link.sendRequest(request)
  return path
}

/**
 * Renames a staged file over an existing file in the same folder. On an ext file system without a journal, the removal
 * of the old file may reach the disk before the name of the new file, so a power failure could destroy both. On such a
 * file system, the old file is therefore kept by a hard link until the new name is flushed. Returns the replaced file,
 * or null when there was none at that moment.
 */
export async function replaceWithStaged(
  context: TaskContext,
  staged: EntryLocation,
  location: EntryLocation,
): Promise<FileStat | null> {
  // The link changes the etag of the file.
  const replaced = context.calls.statIfExists(location)
  const hardLink = lacksJournal(context, location.folder) ? await linkOldFile(context, location) : null
  try {
    renameAt(staged, location)
    if (hardLink !== null) flushFolder(location.folder)
    return replaced
  } finally {
    if (hardLink !== null) unlinkAt(hardLink)
  }
}

/**
 * Replaces a file as `replaceWithStaged` does, but throws `changed-meanwhile` and changes nothing unless the replaced file
 * is `existing`. The kernel exchanges the two names in one step, so that the old file can be inspected before it is
 * removed. Where the kernel or the file system cannot do so, a file that another thread renames in the microseconds since
 * the caller's check is not noticed. Returns the replaced file.
 */
export async function replaceExactly(
  context: TaskContext,
  staged: EntryLocation,
  { location, existing }: { readonly location: EntryLocation; readonly existing: FileStat },
): Promise<FileStat | null> {
  const { calls } = context
  if (!tryExchange(calls, staged, location)) return replaceWithStaged(context, staged, location)
  const replaced = calls.statAt(staged)
  if (!isSame(replaced, existing) || replaced.sizeBytes !== existing.sizeBytes) {
    restore(calls, staged, location)
    throw new AppError('changed-meanwhile')
  }
  if (lacksJournal(context, location.folder)) flushFolder(location.folder)
  unlinkAt(staged)
  return existing
}

/** Exchanges the names of two entries. Returns false when this is not supported here. */
function tryExchange({ exchange }: FileSystemCalls, staged: EntryLocation, location: EntryLocation): boolean {
  try {
    exchange?.(staged, location)
    return exchange !== null
  } catch (error) {
    if (['EINVAL', 'ENOSYS', 'EOPNOTSUPP'].includes(errnoOf(error))) return false
    if (errnoOf(error) === 'ENOENT') throw new AppError('changed-meanwhile', { cause: error })
    throw error
  }
}

/** Gives an entry its name back, also when the entry that has taken the name was renamed meanwhile. */
function restore(calls: FileSystemCalls, staged: EntryLocation, location: EntryLocation): void {
  try {
    calls.exchange?.(staged, location)
  } catch {
    renameIfFree(calls, staged, location)
  }
}

/** Returns true for a folder on an ext file system without a journal, where names do not reach the disk in order. */
const lacksJournal = ({ calls }: TaskContext, folder: number): boolean =>
  extKindOf(folder, calls.stat(folder).dev) === 'unjournaled'

/**
 * Creates a hard link to the old file, with a staged name. Returns null when the file system does not allow hard links.
 */
async function linkOldFile(context: TaskContext, location: EntryLocation): Promise<EntryLocation | null> {
  const hardLink = { folder: location.folder, name: context.newStagedName() }
  await recordStaged(context, hardLink)
  try {
    linkAt(location, hardLink)
    return hardLink
  } catch {
    return null
  }
}

/**
 * Renames an entry unless the new name is taken. The kernel reports EINVAL in two cases: the file system does not
 * support RENAME_NOREPLACE, or a folder would be moved into itself. In both cases the function renames without that
 * flag, which fails with EINVAL again in the second case.
 */
export function renameIfFree(calls: FileSystemCalls, from: EntryLocation, to: EntryLocation): void {
  try {
    calls.renameNoReplace(from, to)
  } catch (error) {
    if (calls.kind === 'walk' || errnoOf(error) !== 'EINVAL') throw error
    nodeCalls().renameNoReplace(from, to)
  }
}

/**
 * Free space in bytes that an announced upload must leave for other users (security 3.8). It is a fixed number, because
 * a share of the disk would refuse uploads on every large disk.
 */
export const reservedFreeBytes = 64 * 1024 * 1024

/**
 * Throws `no-space` when an upload of the announced size would leave less than `reservedFreeBytes` on the disk of a
 * folder. Does nothing when the size is 0, which means that no size was announced.
 */
export function refuseWithoutSpace(folder: number, sizeBytes: number): void {
  if (sizeBytes === 0) return
  const { bavail, bsize } = statfsSync(`/proc/self/fd/${folder}`)
  if (bavail * bsize < sizeBytes + reservedFreeBytes) throw new AppError('no-space')
}
