import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { routes, type RouteName } from '../../src/shared/contract/routes.ts'
import type { Person, RunningServer } from '../kit/run-server.ts'

/** The content of a request. A body given as `pieces` is sent in chunks, without a Content-Length. */
export type RequestContent = {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer<ArrayBuffer>
  readonly pieces?: Iterable<Uint8Array<ArrayBuffer>> | AsyncIterable<Uint8Array<ArrayBuffer>>
}

/** The outcome of a request (its status and error code in `said`), and the text and headers of the response. */
export type RequestOutcome = { readonly said: string; readonly text: string; readonly headers: Headers }

export type RequestSender = {
  /**
   * Sends a request. `said` is the status (`200`), followed by the error code of a failure (`507 no-space`), or `cut
   * off` when the connection broke.
   */
  readonly tell: (route: RouteName, at?: string, asking?: RequestContent) => Promise<RequestOutcome>
  readonly ask: (route: RouteName, at?: string, asking?: RequestContent) => Promise<string>
}

/** Signs a user in and returns functions that send requests as that user. */
export async function askAs({ url }: RunningServer, { name, password }: Person): Promise<RequestSender> {
  const body = JSON.stringify({ username: name, password })
  const login = await fetch(`${url}/api/login`, { method: 'POST', body })
  const token = await login.text()
  if (login.status !== 200) throw new Error(`${name} cannot sign in: ${token}`)
  const tell: RequestSender['tell'] = async (
    route,
    at = '/',
    { query = {}, headers = {}, body, pieces } = {},
  ) => {
    const { method, pattern } = routes[route]
    const address = `${url}${pattern.replace('/*', at)}?${new URLSearchParams(query).toString()}`
    const sent =
      pieces === undefined
        ? { body: body ?? null }
        : { body: ReadableStream.from(pieces), duplex: 'half' as const }
    const reply = await fetch(address, { method, headers: { 'x-auth': token, ...headers }, ...sent })
    const text = await reply.text().catch(() => null)
    const said = text === null ? ['cut off'] : [reply.status, reply.headers.get('x-error') ?? []].flat()
    return { said: said.join(' '), text: text ?? '', headers: reply.headers }
  }
  return { tell, ask: async (...asked) => (await tell(...asked)).said }
}

export const loginStatus = async ({ url }: RunningServer, { name, password }: Person): Promise<number> => {
  const body = JSON.stringify({ username: name, password })
  return (await fetch(`${url}/api/login`, { method: 'POST', body })).status
}

/**
 * Returns the names of all staged files below a folder. A staged file is an upload that has not been put in place yet.
 */
export const stagedIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names.filter((name) => /^\.[0-9a-f]{32}/.test(path.basename(name)))
}
