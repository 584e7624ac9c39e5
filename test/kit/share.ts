import type { ShareResource, NewShare } from '../../src/shared/contract/shares.ts'
import type { TestApp, SignedInUser } from './start-app.ts'

/** Shares a path as a user and returns the response. */
export async function share(
  person: SignedInUser,
  path: string,
  options: NewShare = {},
): Promise<ShareResource> {
  const response = await person.call('shares.create', { path, json: options })
  if (response.status !== 200) throw new Error(`${path} cannot be shared: ${await response.text()}`)
  return (await response.json()) as ShareResource
}

type GuestRequestOptions = {
  readonly password?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Requests a share as a guest without a login. `rest` is the encoded end of the URL, which follows the name of the
 * call.
 */
export function requestAsGuest(
  app: TestApp,
  call: 'share' | 'dl',
  rest: string,
  options: GuestRequestOptions = {},
): Promise<Response> {
  const { password, query = '', headers = {} } = options
  return app.fetch(`/api/public/${call}/${rest}${query}`, {
    token: null,
    headers: { ...(password === undefined ? {} : { 'x-share-password': password }), ...headers },
  })
}

type DropOptions = GuestRequestOptions & { readonly body?: string; readonly signal?: AbortSignal }

/** Sends a file to an upload-only share as a guest without a login. `rest` is the hash and the encoded name. */
export function dropAsGuest(app: TestApp, rest: string, options: DropOptions = {}): Promise<Response> {
  const { password, query = '', headers = {}, body = 'bytes', signal } = options
  return app.fetch(`/api/public/drop/${rest}${query}`, {
    method: 'POST',
    token: null,
    body,
    headers: { ...(password === undefined ? {} : { 'x-share-password': password }), ...headers },
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Requests the description and the download of a share. Returns the two statuses. */
export const guestStatuses = async (app: TestApp, rest: string): Promise<readonly number[]> =>
  Promise.all((['share', 'dl'] as const).map(async (call) => (await requestAsGuest(app, call, rest)).status))
