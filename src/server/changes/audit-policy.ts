import { root } from '../../shared/domain/path.ts'
import type { Policy } from '../storage/policy.ts'
import type { ChangedEntry } from '../storage/change.ts'
import {
  recorderBelow,
  recordOperation,
  type FileOperation,
  type OperationRecorder,
} from './file-operation.ts'

/**
 * The policy that every change is recorded as an operation, with its outcome. Of an upload in parts, the change that
 * puts the file in place is recorded, and not the folders that the upload makes at its begin. Changes that follow from
 * another one are not recorded either: the end of an upload that will not be completed, the removal of what the caller
 * has just created, and the time of a new folder.
 */
export const auditPolicy = (record: OperationRecorder): Policy => ({
  narrowed: (to) => auditPolicy(recorderBelow(record, to.at ?? root)),
  check: (storage, change) => storage.check(change),
  handlers: ({ apply }) => ({
    write(change) {
      const { path, overwrite } = change
      const action = overwrite === 'replace' ? 'edit' : 'upload'
      return recordPlacement(record, { action, path }, () => apply(change))
    },
    begin: apply,
    put: apply,
    commit(change) {
      const { path } = change.upload
      return recordPlacement(record, { action: 'upload', path }, () => apply(change))
    },
    abort: apply,
    makeFolder(change) {
      const { path } = change
      return recordOperation(record, { action: 'create-folder', path }, () => apply(change))
    },
    move(change) {
      const { path, to } = change
      return recordPlacement(record, { action: 'move', path, to }, () => apply(change))
    },
    copy(change) {
      const { path, to } = change
      return recordPlacement(record, { action: 'copy', path, to }, () => apply(change))
    },
    remove(change) {
      const { path, undoes = false } = change
      return undoes ? apply(change) : recordOperation(record, { action: 'delete', path }, () => apply(change))
    },
    setFolderTime: apply,
  }),
})

/** Records a change that puts an entry in a place, with the size of the file that was there before. */
const recordPlacement = (
  record: OperationRecorder,
  operation: FileOperation,
  work: () => Promise<ChangedEntry>,
): Promise<ChangedEntry> =>
  recordOperation(record, operation, work, ({ replaced }) => ({ replacedBytes: replaced?.sizeBytes }))
