import type { RouteName } from '../../shared/contract/routes.ts'
import { parsePath, root, type Path } from '../../shared/domain/path.ts'
import type { AnyCallTarget } from '../api/call-options.ts'
import { entryChanged, type EntryChange } from '../state/entry-changes.ts'

/**
 * Publishes the change that a successful call has made, so that the sidebar can follow it. Calls that change no folder
 * structure are ignored.
 */
export function announceChange(name: RouteName, target: AnyCallTarget, response: Response): void {
  const change = changeOf(name, target, response)
  if (change !== null) entryChanged.emit(change)
}

function changeOf(name: RouteName, target: AnyCallTarget, response: Response): EntryChange | null {
  const { path = root, query = {} } = target
  switch (name) {
    case 'resources.create':
      return { from: null, to: path }
    case 'resources.remove':
      return { from: path, to: null }
    case 'resources.transfer':
      return { from: query['action'] === 'copy' ? null : path, to: newPathOf(query, response) }
    default:
      return null
  }
}

/** Returns the path that the server gave to a copied or moved entry, which may have a number to keep both entries. */
function newPathOf(query: NonNullable<AnyCallTarget['query']>, response: Response): Path | null {
  const address = response.headers.get('content-location') ?? String(query['destination'] ?? '')
  return parsePath(address)?.path ?? null
}
