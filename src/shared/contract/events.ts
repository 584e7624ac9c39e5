import { endpoint } from './endpoint.ts'
import type { ListingRow } from './resources.ts'

export const openEvents = endpoint({
  route: 'events.open',
  summary:
    'Socket of changes: the client sends the folders that it shows, the server sends the changes in them',
  audience: 'session',
  body: 'none',
  isSocket: true,
  failures: ['overloaded'],
})

/**
 * A message from the client. It contains the decoded paths of the folders whose changes the client wants to receive
 * from now on. A client that sends `resume` can continue a lost connection: it sends null first, and after a lost
 * connection the token of the last `ConnectionMessage` and the id of the last change that it received.
 */
export type WatchMessage = {
  readonly watch: readonly string[]
  readonly resume?: string | null
  readonly since?: number
}

/**
 * A message from the server about one change. `origin` is the `X-Origin` header of the request that caused the change;
 * it allows a client to recognise the changes that it made itself. It is null for changes that other users or other
 * programs made.
 * `reload` means that anything in the folder at `path` may have changed. `row` is the entry at `path`, or at `to`, as
 * the listing of its folder shows it now; it is absent when the entry is gone or is not in a watched folder.
 */
export type ChangeMessage = {
  readonly id: number
  readonly kind: 'created' | 'written' | 'moved' | 'copied' | 'removed' | 'reload'
  readonly path: string
  readonly to?: string
  readonly row?: ListingRow
  readonly origin: string | null
}

/**
 * The answer to a `WatchMessage` with `resume`, which a client also sends to check its connection. After it come all
 * changes since the lost connection when `isResumed` is true; otherwise the client has to read its folders again.
 */
export type ConnectionMessage = { readonly resume: string; readonly isResumed: boolean }

/**
 * Tells a client that sent `resume` that the rights of its user have changed: the permissions, the scope, the rules or the
 * commands. The client renews its token, which contains them.
 */
export type RightsMessage = { readonly rights: 'changed' }

/**
 * Tells a client that sent `resume` that changes of a folder are reported from now on. `modifiedMs` is the time of the
 * folder's last change. A client whose listing has another time has to read the folder again. `sum` is the sum of the sizes
 * in bytes and of the times in whole milliseconds of all entries that are not folders. It is absent for large folders, and -1
 * while there is no such folder. A client whose rows have another sum has to read the folder again, because a file has changed since its listing.
 */
export type WatchingMessage = {
  readonly watching: string
  readonly modifiedMs: number
  readonly sum?: number
}
