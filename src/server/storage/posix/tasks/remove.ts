import { AppError, codeOf } from '../../../../shared/domain/failure.ts'
import { root, type Path } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { errnoOf, flushFolder, removeFolderAt, renameAt, unlinkAt } from '../calls/descriptors.ts'
import { kindOf } from '../calls/file-stat.ts'
import { moveToFreeName, recordStaged } from '../staging/staged-files.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { resolveActable, openParentSlot } from '../resolution/parent-slot.ts'
import { childrenOf, judgeTree, removeTree } from '../trees/tree.ts'

export type RemoveInput = {
  readonly path: Path
  readonly recursive: boolean
  /** Judges the call without removing anything. */
  readonly isDryRun?: boolean
}

/** Removes an entry. A folder that is not empty needs `recursive`. */
export async function deleteEntry(
  context: TaskContext,
  { path, recursive, isDryRun }: RemoveInput,
): Promise<void> {
  if (path === root) throw new AppError('forbidden')
  using found = await resolveActable(context, path)
  using slot = await openParentSlot(context, path)
  const isFolder = kindOf(found.facts) === 'folder'
  if (isFolder && recursive) await judgeTree(context, { folder: found.descriptor, paths: [path, slot.path] })
  else if (isFolder && isDryRun === true) refuseFilled(context, found.descriptor)
  if (isDryRun === true) return
  if (!isFolder) unlinkAt(slot.location)
  else if (!recursive) removeEmpty(slot.location)
  else await removeWhole(context, slot.location)
  flushFolder(slot.folder.descriptor)
}

function refuseFilled(context: TaskContext, folder: number): void {
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
 * Removes a tree: it is renamed to a hidden name in one step and then deleted. If something in it cannot be removed
 * (for example a folder of another owner), what is left returns to its old name and the error is thrown. `removeAt`
 * deletes the tree at its hidden place.
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
    moveToFreeName(context.calls, aside, location)
    throw error
  }
}

/**
 * Records the hidden name in the journal. Returns false on a full disk, where the journal cannot grow and removing must
 * still be possible; the tree is then deleted in place, visible to others.
 */
async function recordIfSpace(context: TaskContext, aside: EntryLocation): Promise<boolean> {
  try {
    await recordStaged(context, aside)
    return true
  } catch (error) {
    if (codeOf(error) === 'no-space') return false
    throw error
  }
}

/**
 * Renames a folder to its hidden name. Returns false when it cannot be renamed at all: overlay mounts report EXDEV for
 * folders of a lower layer.
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
