import { request } from 'node:http'
import type { Person } from './start-app.ts'

/** A request whose body is sent in chunks. */
export type ChunkedRequest = {
  readonly method: 'POST' | 'PATCH'
  /** The path from the root of the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | number>>
  readonly chunks: readonly string[]
}

/** Sends a body without announcing its size. Returns the status of the response. */
export function sendInChunks(
  { token }: Pick<Person, 'token'>,
  url: string,
  { method, path, headers = {}, chunks }: ChunkedRequest,
): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = { 'x-auth': token, 'transfer-encoding': 'chunked', ...headers }
    const asked = request({ hostname, port, path, method, headers: sent })
    asked.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.once('error', reject)
    for (const chunk of chunks) asked.write(chunk)
    asked.end()
  })
}
