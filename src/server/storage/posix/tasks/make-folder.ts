import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { root, type Path } from '../../../../shared/domain/path.ts'
import { errnoOf, flushNewFolder, makeFolderAt } from '../calls/descriptors.ts'
import { entryOf } from '../calls/file-stat.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { statEntry } from './stat-and-open.ts'
import { openParentSlot } from '../resolution/parent-slot.ts'

export type MakeFolderInput = {
  readonly path: Path
  readonly hasParents: boolean
  readonly mayExist: boolean
  readonly dirMode: number
  /** True for a dry run: all checks are made, and nothing is created. */
  readonly isDryRun?: boolean
}

/** Creates a folder and flushes it. A dry run returns null when all checks succeed. */
export async function makeFolder(context: TaskContext, input: MakeFolderInput): Promise<Entry | null> {
  const { path, dirMode, hasParents, isDryRun } = input
  if (path === root) return existing(context, input)
  using slot = await openParentSlot(context, path, { dirMode: hasParents ? dirMode : null, isDryRun })
  if (isDryRun === true)
    return context.calls.statIfExists(slot.location) === null ? null : existing(context, input)
  try {
    makeFolderAt(slot.location, dirMode)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return existing(context, input)
    throw error
  }
  flushNewFolder(slot.location)
  return entryOf(slot.location.name, context.calls.statAt(slot.location))
}

/** Returns the existing folder or link to a folder when the caller accepts one. Throws `name-taken` otherwise. */
async function existing(context: TaskContext, { path, mayExist }: MakeFolderInput): Promise<Entry> {
  const entry = await statEntry(context, { path })
  const isFolder = (entry.target?.kind ?? entry.kind) === 'folder'
  if (mayExist && isFolder) return entry
  throw new AppError('name-taken')
}
