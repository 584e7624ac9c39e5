import { AppError } from '../../../../shared/domain/failure.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { isUnchanged, kindOf } from '../calls/file-stat.ts'
import { disposable, openFlags, reopen, setModifiedTime } from '../calls/descriptors.ts'
import { resolveActable } from '../resolution/parent-slot.ts'
import type { TaskContext } from '../resolution/task-context.ts'

export type FolderTimeInput = {
  readonly path: Path
  readonly modifiedMs: number
  /** The etag that the folder had when the caller created it. */
  readonly ifMatch: string
}

/** Sets the modification time of a folder. */
export async function setFolderTime(
  context: TaskContext,
  { path, modifiedMs, ifMatch }: FolderTimeInput,
): Promise<void> {
  using found = await resolveActable(context, path)
  if (kindOf(found.stat) !== 'folder' || !isUnchanged(found.stat, ifMatch))
    throw new AppError('changed-meanwhile')
  using folder = disposable(reopen(found.descriptor, openFlags.folder))
  setModifiedTime(folder.descriptor, modifiedMs)
}
