import { AppError } from '../../../../shared/domain/failure.ts'
import { root, type Path } from '../../../../shared/domain/path.ts'
import type { ChangedEntry } from '../../change.ts'
import { errnoOf, flushNewFolder, makeFolderAt } from '../calls/descriptors.ts'
import { entryOf } from '../calls/file-stat.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { withMadeFolders } from '../staging/with-losses.ts'
import { statEntry } from './stat-and-open.ts'
import { openParentSlot } from '../resolution/parent-slot.ts'

export type MakeFolderInput = {
  readonly path: Path
  readonly hasParents: boolean
  readonly mayExist: boolean
  readonly dirMode: number
}

/** Makes all checks of the creation of a folder, and creates nothing. */
export async function checkMakeFolder(context: TaskContext, input: MakeFolderInput): Promise<void> {
  const { path, dirMode, hasParents } = input
  using slot =
    path === root
      ? null
      : await openParentSlot(context, path, { dirMode: hasParents ? dirMode : null, isDryRun: true })
  if (slot === null || context.calls.statIfExists(slot.location) !== null) await existing(context, input)
}

/** Creates a folder and flushes it. */
export async function makeFolder(context: TaskContext, input: MakeFolderInput): Promise<ChangedEntry> {
  const { path, dirMode, hasParents } = input
  if (path === root) return existing(context, input)
  using slot = await openParentSlot(context, path, { dirMode: hasParents ? dirMode : null })
  try {
    makeFolderAt(slot.location, dirMode)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return existing(context, input)
    throw error
  }
  flushNewFolder(slot.location)
  const entry = entryOf(slot.location.name, context.calls.statAt(slot.location))
  return withMadeFolders(entry, [...slot.madeFolders, path])
}

/** Returns the existing folder or link to a folder when the caller accepts one. Throws `name-taken` otherwise. */
async function existing(context: TaskContext, { path, mayExist }: MakeFolderInput): Promise<ChangedEntry> {
  const entry = await statEntry(context, { path })
  const isFolder = (entry.target?.kind ?? entry.kind) === 'folder'
  if (mayExist && isFolder) return entry
  throw new AppError('name-taken')
}
