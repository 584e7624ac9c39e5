import { diskPathOf } from '../../disk-path.ts'
import { closeSync } from 'node:fs'
import type { Path } from '../../../../shared/domain/path.ts'
import { flushFolder, openAt, openFlags, realPathOf, reopen, unlinkAt } from '../calls/descriptors.ts'
import { kindOf, modifiedMsOf } from '../calls/file-stat.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { isAbsent, openContentSlot } from '../resolution/parent-slot.ts'
import { targetFieldsOf, type StagedFile } from './stage.ts'

/** An upload, identified by its path and the name of its staged file. */
export type UploadInput = { readonly path: Path; readonly stagedName: string }

/** A staged file that is open for writing, with the number of bytes received so far. */
export type StagedUpload = StagedFile & { readonly sizeBytes: number }

/** Opens the staged file of an upload for writing. The caller closes both descriptors. */
export async function resumeUpload(
  context: TaskContext,
  { path, stagedName }: UploadInput,
): Promise<StagedUpload> {
  using slot = await openContentSlot(context, path, { dirMode: null })
  using opened = new DisposableStack()
  // The folder is opened again, because `slot` closes its own descriptor when this function returns.
  const folder = reopen(slot.folder.descriptor, openFlags.followingHandle)
  opened.defer(() => closeSync(folder))
  const file = openAt({ folder, name: stagedName }, openFlags.readAndWrite)
  opened.defer(() => closeSync(file))
  const realPath = diskPathOf(`${realPathOf(folder)}/${stagedName}`)
  const { sizeBytes } = context.calls.stat(file)
  const fields = targetFieldsOf(slot, path)
  opened.move()
  return { file, folder, stagedName, realPath, sizeBytes, ...fields }
}

/** Returns the length of the staged file in bytes. */
export async function stagedFileSize(
  context: TaskContext,
  { path, stagedName }: UploadInput,
): Promise<number> {
  using slot = await openContentSlot(context, path, { dirMode: null })
  return context.calls.statAt({ folder: slot.folder.descriptor, name: stagedName }).sizeBytes
}

/** The path, size and modification time of a commit whose outcome is unknown. */
export type PlacementQuery = { readonly path: Path; readonly sizeBytes: number; readonly modifiedMs: number }

/**
 * Returns true when the file at the path has the size and the modification time of the upload, so that the commit took
 * effect. A server that stopped during the commit may have neither sent a response nor flushed the folder, so the
 * folder is flushed now. Times are compared in milliseconds, because disks store them with different precision.
 */
export async function isPlaced(
  context: TaskContext,
  { path, sizeBytes, modifiedMs }: PlacementQuery,
): Promise<boolean> {
  try {
    using slot = await openContentSlot(context, path, { dirMode: null })
    const stat = context.calls.statIfExists(slot.location)
    if (stat === null || kindOf(stat) !== 'file' || stat.sizeBytes !== sizeBytes) return false
    if (Math.round(modifiedMsOf(stat)) !== Math.round(modifiedMs)) return false
    flushFolder(slot.location.folder)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** Removes a staged file. Does nothing when the file or its folder no longer exists. */
export async function abandonUpload(context: TaskContext, { path, stagedName }: UploadInput): Promise<void> {
  try {
    using slot = await openContentSlot(context, path, { dirMode: null })
    unlinkAt({ folder: slot.folder.descriptor, name: stagedName })
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}
