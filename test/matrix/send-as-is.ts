import { Agent, request } from 'node:http'
import type { ReceivedAnswer } from './description.ts'

export type RawRequest = {
  readonly method: string
  /** The address relative to the base path. It is sent unchanged, while `fetch` would normalise dots and slashes. */
  readonly address: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body?: string | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends a request without normalising any part of it. Rejects when no complete answer arrives. */
export function sendAsIs(
  url: string,
  { method, address, headers, body }: RawRequest,
): Promise<ReceivedAnswer> {
  const { hostname, port } = new URL(url)
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const all = { ...length, ...headers }
    const asked = request({ hostname, port, path: address, method, headers: all, agent }, (answer) => {
      let text = ''
      answer.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      answer.once('error', (error) => reject(new Error(`the answer broke: ${error.message}`)))
    })
    asked.setTimeout(5000, () => asked.destroy(new Error('nothing came for five seconds')))
    asked.once('error', reject)
    asked.end(body)
  })
}
