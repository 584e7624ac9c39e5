import type { ChangeMessage } from '../../shared/contract/events.ts'
import { joinPaths, isWithin, parentOf, root, type Path } from '../../shared/domain/path.ts'
import type { Change } from '../changes/change.ts'

/** A change as somebody else may see it: in that person's own paths, without what lies elsewhere. */
export type SeenChange = Pick<ChangeMessage, 'kind'> & { readonly path: Path; readonly to?: Path }

/** The places of a change, translated from the scope of who made it to the scope of who looks; null where it is not in sight. */
export function translate(
  change: Change,
  scope: Path,
): { readonly from: Path | null; readonly to: Path | null } {
  const inSight = (path: Path): Path | null => {
    const place = joinPaths(change.scope, path)
    return place !== null && isWithin(place, scope) ? below(place, scope) : null
  }
  return { from: inSight(change.path), to: change.to === undefined ? null : inSight(change.to) }
}

/** What is left of a change when one of its two places cannot be seen: something came, or something went. */
export function seenAs(kind: Change['kind'], from: Path | null, to: Path | null): SeenChange | null {
  if (kind !== 'moved' && kind !== 'copied') return from === null ? null : { kind, path: from }
  if (from !== null && to !== null) return { kind, path: from, to }
  if (to !== null) return { kind: 'created', path: to }
  return from !== null && kind === 'moved' ? { kind: 'removed', path: from } : null
}

/** Whether it happened directly in one of the folders. */
export const isIn = (folders: ReadonlySet<Path>, path: Path | null): boolean =>
  path !== null && path !== root && folders.has(parentOf(path))

const below = (place: Path, scope: Path): Path =>
  (scope === root ? place : place.slice(scope.length) || '/') as Path
