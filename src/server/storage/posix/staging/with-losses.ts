import type { Path } from '../../../../shared/domain/path.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import type { ChangedEntry } from '../../change.ts'
import { etagOf, kindOf, type FileStat } from '../calls/file-stat.ts'
import type { TaskContext } from '../resolution/task-context.ts'

/** Returns an entry with what the task left out or could not keep. */
export function withLosses({ losses }: Pick<TaskContext, 'losses'>, entry: Entry): ChangedEntry {
  const list = losses.list()
  return list.length === 0 ? entry : { ...entry, losses: list }
}

/** Returns a changed entry with the file that stood at its place before. `existing` is null when there was no entry. */
export const withReplaced = (entry: ChangedEntry, existing: FileStat | null): ChangedEntry =>
  existing === null || kindOf(existing) !== 'file'
    ? entry
    : { ...entry, replaced: { etag: etagOf(existing), sizeBytes: existing.sizeBytes } }

/** Returns a changed entry with the folders that the task has created. */
export const withMadeFolders = (entry: ChangedEntry, madeFolders: readonly Path[]): ChangedEntry =>
  madeFolders.length === 0 ? entry : { ...entry, madeFolders }
