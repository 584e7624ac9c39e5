import type { Permission } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { ChangeHandler, CheckedKind, IntendedChange, OverwriteMode } from '../storage/change.ts'
import type { Policy } from '../storage/policy.ts'

/** Returns true when the user in whose name changes are made has a permission. */
export type PermissionCheck = (permission: Permission) => boolean

/**
 * The policy that a user makes only changes for which the user has the permissions: a storage of somebody who lacks
 * *create* cannot create. Replacing a file, also by a copied or moved one, takes *modify* as well.
 */
export function permissionsPolicy(may: PermissionCheck): Policy {
  const require = (...permissions: readonly Permission[]): void => {
    for (const permission of permissions)
      if (!may(permission)) throw new AppError('forbidden', { permission })
  }
  const policy: Policy = {
    narrowed: () => policy,
    async check(storage, change) {
      require(...neededFor(change))
      return storage.check(change)
    },
    handlers(next) {
      const permitted = <Kind extends CheckedKind>(kind: Kind): ChangeHandler<Kind> => {
        const make = next(kind)
        return async (change) => {
          require(...neededFor(change as IntendedChange))
          return make(change)
        }
      }
      const storing = <Kind extends 'begin' | 'put' | 'commit'>(kind: Kind): ChangeHandler<Kind> => {
        const make = next(kind)
        return async (change) => {
          require(...neededToStore(change.overwrite))
          return make(change)
        }
      }
      return {
        write: permitted('write'),
        begin: storing('begin'),
        put: storing('put'),
        commit: storing('commit'),
        // The bytes of an upload are removed for the user who began it, also after a permission was taken away.
        abort: next('abort'),
        makeFolder: permitted('makeFolder'),
        move: permitted('move'),
        copy: permitted('copy'),
        remove: permitted('remove'),
        async setFolderTime(change) {
          require('create')
          return next('setFolderTime')(change)
        },
      }
    },
  }
  return policy
}

/** Returns the permissions for a change, in the order in which their lack is reported (contract 3.6 to 3.9). */
function neededFor(change: IntendedChange): readonly Permission[] {
  switch (change.kind) {
    case 'write':
      return neededToStore(change.overwrite)
    case 'makeFolder':
      return ['create']
    case 'move':
      return change.overwrite === 'upsert' ? ['modify', 'rename'] : ['rename']
    case 'copy':
      return change.overwrite === 'upsert' ? ['modify', 'create'] : ['create']
    case 'remove':
      return change.undoes === true ? [] : ['delete']
    default:
      return change satisfies never
  }
}

/** Returns the permissions for storing a file. */
const neededToStore = (overwrite: OverwriteMode): readonly Permission[] =>
  ({ create: ['create'], replace: ['modify'], upsert: ['create', 'modify'] } as const)[overwrite]
