import { joinPaths, relativePath, type Path, isWithin } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import type { User } from '../records/user-store.ts'

type ScopeOwner = Pick<User, 'scope'>

/**
 * Translates a path within a user's scope to a path of the volume. Returns null when the scope cannot be a path, or
 * when the resulting path is too long.
 */
export function pathOnVolume({ scope }: ScopeOwner, path: Path): Path | null {
  const at = confinedScope(scope)
  return at === null ? null : joinPaths(at, path)
}

/**
 * Translates a path of the volume to a path within a user's scope. Returns null for a path outside the scope, or when
 * the scope cannot be a path.
 */
export function pathInScope({ scope }: ScopeOwner, path: Path): Path | null {
  const at = confinedScope(scope)
  if (at === null || !isWithin(path, at)) return null
  return relativePath(path, at)
}
