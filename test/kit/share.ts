import type { ShareResource, ShareWish } from '../../src/shared/contract/shares.ts'
import type { App, Person } from './start-app.ts'

/** Shares a path as somebody, and gives what is answered. */
export async function share(person: Person, path: string, wish: ShareWish = {}): Promise<ShareResource> {
  const reply = await person.call('shares.create', { path, json: wish })
  if (reply.status !== 200) throw new Error(`${path} cannot be shared: ${await reply.text()}`)
  return (await reply.json()) as ShareResource
}

type Bringing = {
  readonly password?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What a guest gets who has no login; `rest` is the undecoded address behind the call. */
export function visit(
  app: App,
  call: 'share' | 'dl',
  rest: string,
  bringing: Bringing = {},
): Promise<Response> {
  const { password, query = '', headers = {} } = bringing
  return app.fetch(`/api/public/${call}/${rest}${query}`, {
    token: null,
    headers: { ...(password === undefined ? {} : { 'x-share-password': password }), ...headers },
  })
}

/** The statuses of a link, as a description and as a download. */
export const statuses = async (app: App, rest: string): Promise<readonly number[]> =>
  Promise.all((['share', 'dl'] as const).map(async (call) => (await visit(app, call, rest)).status))
