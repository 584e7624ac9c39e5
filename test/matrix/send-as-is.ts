import { Agent, request } from 'node:http'
import type { ReceivedResponse } from './description.ts'

export type RawRequest = {
  readonly method: string
  /** The address relative to the base path. It is sent unchanged, while `fetch` would normalise dots and slashes. */
  readonly address: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body?: string | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends a request without normalising any part of it. Rejects when no complete response arrives. */
export function sendAsIs(
  url: string,
  { method, address, headers, body }: RawRequest,
): Promise<ReceivedResponse> {
  const { hostname, port } = new URL(url)
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const all = { ...length, ...headers }
    const asked = request({ hostname, port, path: address, method, headers: all, agent }, (response) => {
      let text = ''
      response.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      )
      response.once('error', (error) => reject(new Error(`the answer broke: ${error.message}`)))
    })
    asked.setTimeout(5000, () => asked.destroy(new Error('nothing came for five seconds')))
    asked.once('error', reject)
    asked.end(body)
  })
}
