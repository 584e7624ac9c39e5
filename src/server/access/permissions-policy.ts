import type { Permission } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Change, IntendedChange, OverwriteMode } from '../storage/change.ts'
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
    handlers: ({ apply }) => {
      const applyPermitted = async <Kind extends IntendedChange['kind']>(change: Change<Kind>) => {
        require(...neededFor(change as IntendedChange))
        return apply(change)
      }
      return {
        write: applyPermitted,
        async begin(change) {
          require(...neededToStore(change.overwrite))
          return apply(change)
        },
        async put(change) {
          require(...neededToStore(change.overwrite))
          return apply(change)
        },
        async commit(change) {
          require(...neededToStore(change.overwrite))
          return apply(change)
        },
        // The bytes of an upload are removed for the user who began it, also after a permission was taken away.
        abort: apply,
        makeFolder: applyPermitted,
        move: applyPermitted,
        copy: applyPermitted,
        remove: applyPermitted,
        async setFolderTime(change) {
          require('create')
          return apply(change)
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
