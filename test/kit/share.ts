import { request, type ClientRequest } from 'node:http'
import { expect } from 'vitest'
import type { RunningReceptionResource, ShareResource, NewShare } from '../../src/shared/contract/shares.ts'
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

/** Begins to send a file of the given size, and sends only the first bytes of it. */
export async function beginDrop(
  app: TestApp,
  rest: string,
  sizeBytes: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<ClientRequest> {
  const outgoing = request(`${app.url}/api/public/drop/${rest}`, {
    method: 'POST',
    headers: { 'content-length': String(sizeBytes), ...headers },
  })
  outgoing.on('error', () => undefined)
  outgoing.write('12345')
  return outgoing
}

/** Begins to send a large file to an upload-only share, and returns the id by which its owner can end it. */
export async function receptionIdOf(app: TestApp, hash: string): Promise<string> {
  await beginDrop(app, `${hash}/slow.bin`, 100_000)
  const id = async (): Promise<string | undefined> => {
    const response = await app.call('shares.received', { path: `/${hash}` })
    const { running } = (await response.json()) as { readonly running: readonly RunningReceptionResource[] }
    return running[0]?.id
  }
  await expect.poll(id, { timeout: 10_000 }).toBeDefined()
  return (await id()) ?? ''
}

/** Requests the description and the download of a share. Returns the two statuses. */
export const guestStatuses = async (app: TestApp, rest: string): Promise<readonly number[]> =>
  Promise.all((['share', 'dl'] as const).map(async (call) => (await requestAsGuest(app, call, rest)).status))
