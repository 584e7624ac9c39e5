import { AppError, codeOf } from '../../../../shared/domain/failure.ts'
import { conflictName } from '../../../../shared/domain/names.ts'
import { errnoOf, renameAt, unlinkAt } from '../calls/descriptors.ts'
import { isSame, isUnchanged, type FileStat } from '../calls/file-stat.ts'
import type { EntryLocation, FileSystemCalls } from '../calls/file-system-calls.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { recordStaged, renameIfFree } from '../staging/staged-files.ts'

/** The number of names that are tried for a file whose own name is taken. */
const maxNameAttempts = 100

/**
 * Removes the file that has an etag. Throws `changed-meanwhile` when the file has changed or another one has its name. The
 * file gets a hidden name first and is compared again there, where nobody saves any more, so that nothing is lost that
 * somebody saves between the comparison and the removal. A file that turns out to be another one gets its name back.
 */
export async function removeUnchanged(
  context: TaskContext,
  location: EntryLocation,
  etag: string,
): Promise<void> {
  const { calls } = context
  const aside = { folder: location.folder, name: context.newStagedName() }
  await recordIfSpace(context, aside)
  context.link.throwIfAborted()
  const expected = calls.statAt(location)
  if (!isUnchanged(expected, etag)) throw new AppError('changed-meanwhile')
  renameAt(location, aside)
  if (hasSameContent(calls.statAt(aside), expected)) return unlinkAt(aside)
  putBack(calls, aside, location)
  throw new AppError('changed-meanwhile')
}

/**
 * Records the hidden name in the journal. Returns false when the disk of the journal is full. Removing files must be possible
 * on a full disk.
 */
export async function recordIfSpace(context: TaskContext, aside: EntryLocation): Promise<boolean> {
  try {
    await recordStaged(context, aside)
    return true
  } catch (error) {
    if (codeOf(error) === 'no-space') return false
    throw error
  }
}

/** Compares two readings of the metadata of a file. The time of change differs, because a new name sets it. */
const hasSameContent = (a: FileStat, b: FileStat): boolean =>
  isSame(a, b) && a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs

/** Gives a file its name back. When somebody has taken the name meanwhile, the file gets a number. */
function putBack(calls: FileSystemCalls, aside: EntryLocation, location: EntryLocation): void {
  for (let n = 0; ; n += 1) {
    try {
      return renameIfFree(calls, aside, { ...location, name: conflictName(location.name, n) })
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST' || n >= maxNameAttempts) throw error
    }
  }
}
