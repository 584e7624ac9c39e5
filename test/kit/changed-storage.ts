import { type Apply, applyWith, type ChangeHandlers } from '../../src/server/storage/change.ts'
import type { Storage } from '../../src/server/storage/port.ts'

/** Returns an `apply` that makes some kinds of changes by these functions, and all others in the storage. */
export const applyInstead = ({ apply }: Pick<Storage, 'apply'>, handlers: Partial<ChangeHandlers>): Apply =>
  applyWith({
    write: apply,
    begin: apply,
    put: apply,
    commit: apply,
    abort: apply,
    makeFolder: apply,
    move: apply,
    copy: apply,
    remove: apply,
    setFolderTime: apply,
    ...handlers,
  })
