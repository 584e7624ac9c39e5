import type { ChangeMessage } from '../../shared/contract/events.ts'
import { joinPaths, isWithin, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Change } from '../changes/change.ts'

/** A change as another user may see it: with paths in that user's scope, and without the paths outside it. */
export type VisibleChange = Pick<ChangeMessage, 'kind'> & { readonly path: Path; readonly to?: Path }

/**
 * Translates the paths of a change from the scope of the user who made it to the scope of another user; null for a path
 * outside that scope.
 */
export function translatePaths(
  change: Change,
  scope: Path,
): { readonly from: Path | null; readonly to: Path | null } {
  const inSight = (path: Path): Path | null => {
    const place = joinPaths(change.scope, path)
    return place !== null && isWithin(place, scope) ? below(place, scope) : null
  }
  return { from: inSight(change.path), to: change.to === undefined ? null : inSight(change.to) }
}

/**
 * Returns what a user sees of a change. When one of its two paths is not visible, a move or copy becomes a `created` or
 * `removed` entry.
 */
export function visibleChangeOf(
  kind: Change['kind'],
  from: Path | null,
  to: Path | null,
): VisibleChange | null {
  if (kind !== 'moved' && kind !== 'copied') return from === null ? null : { kind, path: from }
  if (from !== null && to !== null) return { kind, path: from, to }
  if (to !== null) return { kind: 'created', path: to }
  return from !== null && kind === 'moved' ? { kind: 'removed', path: from } : null
}

/** True when the path lies directly in one of the folders. */
export const isDirectlyIn = (folders: ReadonlySet<Path>, path: Path | null): boolean =>
  path !== null && path !== root && folders.has(parentOf(path))

const below = (place: Path, scope: Path): Path =>
  (scope === root ? place : place.slice(scope.length) || '/') as Path
