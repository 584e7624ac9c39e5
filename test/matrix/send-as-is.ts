import { Agent, request } from 'node:http'
import type { ReceivedResponse } from './description.ts'

export type RawRequest = {
  readonly method: string
  /**
   * The path and query relative to the base path. The string is sent unchanged, while `fetch` would normalise dots and
   * slashes.
   */
  readonly requestTarget: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body?: string | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends a request without normalising any part of it. Rejects when no complete response arrives. */
export function sendAsIs(
  url: string,
  { method, requestTarget, headers, body }: RawRequest,
): Promise<ReceivedResponse> {
  const { hostname, port } = new URL(url)
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const allHeaders = { ...length, ...headers }
    const outgoing = request(
      { hostname, port, path: requestTarget, method, headers: allHeaders, agent },
      (response) => {
        let text = ''
        response.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
        response.once('error', (error) => reject(new Error(`the response was interrupted: ${error.message}`)))
      },
    )
    outgoing.setTimeout(5000, () => outgoing.destroy(new Error('no data arrived for five seconds')))
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}
