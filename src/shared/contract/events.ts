import { endpoint } from './endpoint.ts'

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
 * from now on.
 */
export type WatchMessage = { readonly watch: readonly string[] }

/**
 * A message from the server about one change. `origin` is the `X-Origin` header of the request that caused the change;
 * it allows a client to recognise the changes that it made itself.
 */
export type ChangeMessage = {
  readonly id: number
  readonly kind: 'created' | 'written' | 'moved' | 'copied' | 'removed'
  readonly path: string
  readonly to?: string
  readonly origin: string | null
}
