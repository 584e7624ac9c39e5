import type { ChangeMessage } from '../../shared/contract/events.ts'
import { joinPaths, isWithin, parentOf, relativePath, root, type Path } from '../../shared/domain/path.ts'
import type { ObservedChange, StorageChange } from '../changes/change.ts'

/**
 * A change as one user may see it. The paths are relative to that user's scope, and paths outside the scope are
 * omitted.
 */
export type VisibleChange = Pick<ChangeMessage, 'kind'> & { readonly path: Path; readonly to?: Path }

/**
 * Translates the paths of a change from the scope of the user who made it to the scope of another user. Paths outside
 * that scope become null.
 */
export function translatePaths(
  change: Pick<ObservedChange, 'path' | 'to' | 'scope'>,
  scope: Path,
): { readonly from: Path | null; readonly to: Path | null } {
  const pathInScope = (path: Path): Path | null => {
    const volumePath = joinPaths(change.scope, path)
    return volumePath !== null && isWithin(volumePath, scope) ? relativePath(volumePath, scope) : null
  }
  return { from: pathInScope(change.path), to: change.to === undefined ? null : pathInScope(change.to) }
}

/**
 * Returns a change as a user may see it, or null when the user may not see it. If only the destination of a move or
 * copy is visible, the change becomes `created`. If only the source of a move is visible, it becomes `removed`.
 */
export function visibleChangeOf(
  kind: StorageChange['kind'],
  from: Path | null,
  to: Path | null,
): VisibleChange | null {
  if (kind !== 'moved' && kind !== 'copied') return from === null ? null : { kind, path: from }
  if (from !== null && to !== null) return { kind, path: from, to }
  if (to !== null) return { kind: 'created', path: to }
  return from !== null && kind === 'moved' ? { kind: 'removed', path: from } : null
}

/** Returns true when the path is one of the folders, or contains one of them. */
export const containsAny = (path: Path | null, folders: ReadonlySet<Path>): boolean =>
  path !== null && [...folders].some((folder) => isWithin(folder, path))

/** Returns true when the path is directly inside one of the folders. */
export const isDirectlyIn = (folders: ReadonlySet<Path>, path: Path | null): boolean =>
  path !== null && path !== root && folders.has(parentOf(path))
