import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { routes, type RouteName } from '../../src/shared/contract/routes.ts'
import type { TestUser, RunningServer } from '../kit/run-server.ts'

/** The content of a request. A body given as `chunks` is sent in chunks, without a Content-Length. */
export type RequestContent = {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer<ArrayBuffer>
  readonly chunks?: Iterable<Uint8Array<ArrayBuffer>> | AsyncIterable<Uint8Array<ArrayBuffer>>
}

/** The outcome of a request (its status and error code), and the text and headers of the response. */
export type RequestOutcome = { readonly outcome: string; readonly text: string; readonly headers: Headers }

export type RequestSender = {
  /**
   * Sends a request. The outcome is the status (`200`), with the error code of a failure (`507 no-space`), or `cut off`
   * when the connection broke.
   */
  readonly send: (route: RouteName, path?: string, content?: RequestContent) => Promise<RequestOutcome>
  /** Sends a request and returns its status or error code as `send` does, without the content of the response. */
  readonly call: (route: RouteName, path?: string, content?: RequestContent) => Promise<string>
}

/** Signs a user in and returns functions that send requests as that user. */
export async function signInAs({ url }: RunningServer, { name, password }: TestUser): Promise<RequestSender> {
  const body = JSON.stringify({ username: name, password })
  const login = await fetch(`${url}/api/login`, { method: 'POST', body })
  const token = await login.text()
  if (login.status !== 200) throw new Error(`${name} cannot sign in: ${token}`)
  const send: RequestSender['send'] = async (
    route,
    path = '/',
    { query = {}, headers = {}, body, chunks } = {},
  ) => {
    const { method, pattern } = routes[route]
    const address = `${url}${pattern.replace('/*', path)}?${new URLSearchParams(query).toString()}`
    const requestBody =
      chunks === undefined
        ? { body: body ?? null }
        : { body: ReadableStream.from(chunks), duplex: 'half' as const }
    const response = await fetch(address, {
      method,
      headers: { 'x-auth': token, ...headers },
      ...requestBody,
    })
    const text = await response.text().catch(() => null)
    const outcome =
      text === null ? ['cut off'] : [response.status, response.headers.get('x-error') ?? []].flat()
    return { outcome: outcome.join(' '), text: text ?? '', headers: response.headers }
  }
  return { send, call: async (...asked) => (await send(...asked)).outcome }
}

export const loginStatus = async ({ url }: RunningServer, { name, password }: TestUser): Promise<number> => {
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
