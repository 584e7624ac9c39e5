import { endpoint } from './endpoint.ts'

export const openEvents = endpoint({
  route: 'events.open',
  summary: 'Socket of changes: the client names the folders it shows, the server tells what changed in them',
  who: 'session',
  body: 'none',
  isSocket: true,
  fails: ['overloaded'],
})

/** Sent by the client: the folders to hear about from now on, as decoded paths. */
export type WatchMessage = { readonly watch: readonly string[] }

/** Sent by the server. `origin` is the `X-Origin` header of the request that caused it, so that a client knows its own echo. */
export type ChangeMessage = {
  readonly id: number
  readonly kind: 'created' | 'written' | 'moved' | 'copied' | 'removed'
  readonly path: string
  readonly to?: string
  readonly origin: string | null
}
