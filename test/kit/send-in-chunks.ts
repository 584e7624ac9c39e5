import { request } from 'node:http'
import type { Person } from './start-app.ts'

export type InChunks = {
  readonly method: 'POST' | 'PATCH'
  /** From the root of the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | number>>
  readonly chunks: readonly string[]
}

/** Sends a body whose size nobody is told; the status of the answer. */
export function sendInChunks(
  { token }: Pick<Person, 'token'>,
  url: string,
  { method, path, headers = {}, chunks }: InChunks,
): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = { 'x-auth': token, 'transfer-encoding': 'chunked', ...headers }
    const asked = request({ hostname, port, path, method, headers: sent })
    asked.once('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.once('error', reject)
    for (const chunk of chunks) asked.write(chunk)
    asked.end()
  })
}
