import { request } from 'node:http'
import type { SignedInUser } from './start-app.ts'

/** A request whose body is sent in chunks. */
export type ChunkedRequest = {
  readonly method: 'POST' | 'PATCH'
  /** The path from the root of the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | number>>
  readonly chunks: readonly string[]
}

/** Sends a body in chunks, without a Content-Length. Returns the status of the response. */
export function sendInChunks(
  { token }: Pick<SignedInUser, 'token'>,
  url: string,
  { method, path, headers = {}, chunks }: ChunkedRequest,
): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const allHeaders = { 'x-auth': token, 'transfer-encoding': 'chunked', ...headers }
    const outgoing = request({ hostname, port, path, method, headers: allHeaders })
    outgoing.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    outgoing.once('error', reject)
    for (const chunk of chunks) outgoing.write(chunk)
    outgoing.end()
  })
}
