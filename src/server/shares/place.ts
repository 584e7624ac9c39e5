import { joinPaths, root, type Path } from '../../shared/domain/path.ts'
import { isWithin } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/door.ts'
import type { User } from '../records/port.ts'

type Scoped = Pick<User, 'scope'>

/** A path in somebody's scope, from the top of the volume. Null where their scope is no path, or both are too long. */
export function onVolume({ scope }: Scoped, path: Path): Path | null {
  const at = confinedScope(scope)
  return at === null ? null : joinPaths(at, path)
}

/** A path from the top of the volume, as somebody sees it; null outside their scope as it is now. */
export function inScope({ scope }: Scoped, path: Path): Path | null {
  const at = confinedScope(scope)
  if (at === null || !isWithin(path, at)) return null
  const rest = at === root ? path : path.slice(at.length)
  return rest === '' ? root : (rest as Path)
}
