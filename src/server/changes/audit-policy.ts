import { root } from '../../shared/domain/path.ts'
import { refuseNothing, type Policy } from '../storage/policy.ts'
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
  check: refuseNothing,
  handlers: (next) => ({
    write(change) {
      const { path, overwrite } = change
      const action = overwrite === 'replace' ? 'edit' : 'upload'
      return recordOperation(record, { action, path }, () => next('write')(change), replacedBytesOf)
    },
    begin: next('begin'),
    put: next('put'),
    commit(change) {
      const { path } = change.upload
      return recordOperation(
        record,
        { action: 'upload', path },
        () => next('commit')(change),
        replacedBytesOf,
      )
    },
    abort: next('abort'),
    makeFolder(change) {
      const { path } = change
      return recordOperation(record, { action: 'create-folder', path }, () => next('makeFolder')(change))
    },
    move(change) {
      const { path, to } = change
      return recordOperation(
        record,
        { action: 'move', path, to },
        () => next('move')(change),
        replacedBytesOf,
      )
    },
    copy(change) {
      const { path, to } = change
      return recordOperation(
        record,
        { action: 'copy', path, to },
        () => next('copy')(change),
        replacedBytesOf,
      )
    },
    remove(change) {
      const { path, undoes = false } = change
      const remove = () => next('remove')(change)
      return undoes ? remove() : recordOperation(record, { action: 'delete', path }, remove)
    },
    setFolderTime: next('setFolderTime'),
  }),
})

/** Returns the size of the file that was in the place of an entry before. */
const replacedBytesOf = ({ replaced }: ChangedEntry): Pick<FileOperation, 'replacedBytes'> => ({
  replacedBytes: replaced?.sizeBytes,
})
