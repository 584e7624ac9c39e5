import { posix } from 'node:path'
import { codeOf } from '../../shared/domain/failure.ts'
import { nameOf, pathOf, type Path } from '../../shared/domain/path.ts'
import type { User } from '../records/user-store.ts'
import type { Storage } from '../storage/port.ts'
import { absentStorage } from './absent-storage.ts'
import type { PathFilter } from './rules.ts'

/**
 * Converts a stored scope to a path that is always inside the volume: `/etc` is the volume's own `etc`, and `..` at the
 * top is ignored. Returns null when the scope cannot be a path.
 */
export const confinedScope = (scope: string): Path | null => pathOf(posix.normalize(`/${scope}`))

/** The access of a user: the scope as a path inside the volume, the compiled rules, and the dotfile preference. */
export type UserReach = {
  readonly user: Pick<User, 'hideDotfiles'>
  /** Null when the stored scope is not a valid path. */
  readonly scope: Path | null
  /** Null when there are no rules, so that a storage thread does not call back to the main thread for each path. */
  readonly permits: PathFilter | null
  /** Replaces the dotfile preference's own filter, for callers that record its decisions. */
  readonly hides?: PathFilter
}

/**
 * Narrows the volume to what a user can reach. Returns a storage without entries when the user's scope does not exist,
 * is not a folder, or leaves the volume.
 */
export async function narrowToUser(
  volume: Pick<Storage, 'narrow'>,
  { user, scope, permits, hides = isDotfile }: UserReach,
): Promise<Storage> {
  if (scope === null) return absentStorage
  try {
    return await volume.narrow({
      at: scope,
      ...(permits === null ? {} : { permits }),
      ...(user.hideDotfiles ? { hides } : {}),
    })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'not-found' || code === 'not-a-folder' || code === 'forbidden') return absentStorage
    throw error
  }
}

/** Returns true for a path whose last name begins with a dot. `/.git/config` is not a dotfile (contract 1.7). */
export const isDotfile = (path: Path): boolean => nameOf(path).startsWith('.')
