import type { FileSystemCalls, EntryLocation } from '../calls/file-system-calls.ts'
import { errnoOf, flushFolder, linkAt, realPathOf, renameAt, unlinkAt } from '../calls/descriptors.ts'
import { extKindOf } from '../calls/ext-journal.ts'
import type { MainThreadRequest, TaskContext } from '../resolution/task-context.ts'
import { nodeCalls } from '../calls/node-calls.ts'
import { statfsSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'

/**
 * Records a staged file in the journal of staged files, so that a crash does not leave it behind. Returns its path on
 * disk.
 */
export async function recordStaged({ link }: TaskContext, { folder, name }: EntryLocation): Promise<string> {
  const request: MainThreadRequest = { kind: 'staged', path: `${realPathOf(folder)}/${name}` }
  await link.sendRequest(request)
  return request.path
}

/**
 * Renames a staged file over an existing file of the same folder. On an ext file system without a journal, the removal of the old file
 * may reach the disk before the new file's name, so a power failure could lose both files. On such a file system, a
 * hard link keeps the old file until the new name is flushed.
 */
export async function replaceWithStaged(
  context: TaskContext,
  staged: EntryLocation,
  location: EntryLocation,
): Promise<void> {
  const hardLink = lacksJournal(context, location.folder) ? await linkOldFile(context, location) : null
  try {
    renameAt(staged, location)
    if (hardLink !== null) flushFolder(location.folder)
  } finally {
    if (hardLink !== null) unlinkAt(hardLink)
  }
}

/** Returns true for a folder on an ext file system without a journal, where names do not reach the disk in order. */
const lacksJournal = ({ calls }: TaskContext, folder: number): boolean =>
  extKindOf(folder, calls.stat(folder).dev) === 'bare'

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
 * Renames an entry to a free name. On file systems without RENAME_NOREPLACE, which report EINVAL, the function uses
 * link and unlink.
 */
export function moveToFreeName(calls: FileSystemCalls, from: EntryLocation, to: EntryLocation): void {
  try {
    calls.renameNoReplace(from, to)
  } catch (error) {
    if (calls.kind === 'walk' || errnoOf(error) !== 'EINVAL') throw error
    nodeCalls().renameNoReplace(from, to)
  }
}

/** Free space in bytes that an announced upload must leave for other users (security 3.8). */
export const reservedFreeBytes = 64 * 1024 * 1024

/**
 * Throws `no-space` when an upload of the announced size would leave less than `reservedFreeBytes` on the disk of a
 * folder. A size of 0 means that no size was announced, and then nothing is checked.
 */
export function refuseWithoutSpace(folder: number, sizeBytes: number): void {
  if (sizeBytes === 0) return
  const { bavail, bsize } = statfsSync(`/proc/self/fd/${folder}`)
  if (bavail * bsize < sizeBytes + reservedFreeBytes) throw new AppError('no-space')
}
