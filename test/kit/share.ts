import type { ShareResource, NewShare } from '../../src/shared/contract/shares.ts'
import type { App, Person } from './start-app.ts'

/** Shares a path as a user and returns the response. */
export async function share(person: Person, path: string, options: NewShare = {}): Promise<ShareResource> {
  const reply = await person.call('shares.create', { path, json: options })
  if (reply.status !== 200) throw new Error(`${path} cannot be shared: ${await reply.text()}`)
  return (await reply.json()) as ShareResource
}

type GuestRequestOptions = {
  readonly password?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Requests a share as a guest without a login. `rest` is the encoded end of the address, after the name of the call.
 */
export function visit(
  app: App,
  call: 'share' | 'dl',
  rest: string,
  guestOptions: GuestRequestOptions = {},
): Promise<Response> {
  const { password, query = '', headers = {} } = guestOptions
  return app.fetch(`/api/public/${call}/${rest}${query}`, {
    token: null,
    headers: { ...(password === undefined ? {} : { 'x-share-password': password }), ...headers },
  })
}

/** Requests the description and the download of a share. Returns the two statuses. */
export const statuses = async (app: App, rest: string): Promise<readonly number[]> =>
  Promise.all((['share', 'dl'] as const).map(async (call) => (await visit(app, call, rest)).status))
