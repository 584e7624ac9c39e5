import { AppError } from '../../../../shared/domain/failure.ts'
import { root, type Path } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { errnoOf, flushFolder, removeFolderAt, renameAt, unlinkAt } from '../calls/descriptors.ts'
import { isUnchanged, kindOf } from '../calls/file-stat.ts'
import { renameIfFree } from '../staging/staged-files.ts'
import { refuseStartFolder } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { resolveActable, openParentSlot } from '../resolution/parent-slot.ts'
import { recordIfSpace, removeUnchanged } from './remove-unchanged.ts'
import { childrenOf, checkTreePermissions, removeTree } from '../trees/tree.ts'

export type RemoveInput = {
  readonly path: Path
  readonly recursive: boolean
  /** The etag that the entry must have, as in the storage's `remove`. */
  readonly ifMatch?: string | undefined
  /** True for a dry run: all checks of the removal are made, and nothing is removed. */
  readonly isDryRun?: boolean
}

/** Removes an entry. Throws `not-empty` for a folder with entries unless `recursive` is true. */
export async function deleteEntry(
  context: TaskContext,
  { path, recursive, ifMatch, isDryRun }: RemoveInput,
): Promise<void> {
  if (path === root) throw new AppError('forbidden')
  using found = await resolveActable(context, path)
  using slot = await openParentSlot(context, path)
  refuseStartFolder(context, found.stat)
  const isFolder = kindOf(found.stat) === 'folder'
  if (isFolder && recursive)
    await checkTreePermissions(context, {
      folder: found.descriptor,
      paths: [path, slot.path],
      isLeaving: true,
    })
  else if (isFolder && isDryRun === true) refuseNonEmpty(context, found.descriptor)
  if (ifMatch !== undefined && (isFolder || isDryRun === true)) refuseChanged(context, slot.location, ifMatch)
  if (isDryRun === true) return
  if (!isFolder && ifMatch !== undefined) await removeUnchanged(context, slot.location, ifMatch)
  else if (!isFolder) unlinkAt(slot.location)
  else if (!recursive) removeEmpty(slot.location)
  else await removeWhole(context, slot.location)
  flushFolder(slot.folder.descriptor)
}

function refuseChanged({ calls }: TaskContext, location: EntryLocation, ifMatch: string): void {
  if (!isUnchanged(calls.statAt(location), ifMatch)) throw new AppError('changed-meanwhile')
}

function refuseNonEmpty(context: TaskContext, folder: number): void {
  if (childrenOf(context, folder).length > 0) throw new AppError('not-empty')
}

function removeEmpty(location: EntryLocation): void {
  try {
    removeFolderAt(location)
  } catch (error) {
    throw errnoOf(error) === 'EEXIST' ? new AppError('not-empty', { cause: error }) : error
  }
}

/**
 * Removes a tree: renames it to a hidden name and then deletes it. If an entry in it cannot be deleted (for example a
 * folder of another owner), the rest of the tree is renamed back and the error is thrown. `removeAt` is the function
 * that deletes the tree.
 */
export async function removeWhole(
  context: TaskContext,
  location: EntryLocation,
  removeAt: (context: TaskContext, location: EntryLocation) => void = removeTree,
): Promise<void> {
  const aside: EntryLocation = { folder: location.folder, name: context.newStagedName() }
  const isRecorded = await recordIfSpace(context, aside)
  context.link.throwIfAborted()
  if (!isRecorded || !moveAside(location, aside)) return removeAt(context, location)
  try {
    removeAt(context, aside)
  } catch (error) {
    renameIfFree(context.calls, aside, location)
    throw error
  }
}

/**
 * Renames a folder to its hidden name. Returns false when the folder cannot be renamed at all. For example, overlay
 * mounts report EXDEV for folders of a lower layer.
 */
function moveAside(location: EntryLocation, aside: EntryLocation): boolean {
  try {
    renameAt(location, aside)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') return false
    throw error
  }
}
