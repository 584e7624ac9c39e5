import type { ServerResponse } from 'node:http'
import type { Exchange } from '../exchange.ts'
import { drain } from '../request/drain.ts'
import { smallBytes } from './departure.ts'

export type Headers = Readonly<Record<string, string | string[]>>

/** What leaves in one piece. */
export type Whole = { readonly status: number; readonly headers: Headers; readonly body: string | Uint8Array }

/** Every answer that is ready leaves here. */
export function sendWhole(exchange: Exchange, { status, headers, body }: Whole): undefined {
  const { response, depart } = exchange
  prepare(exchange, body.length > smallBytes)
  // Text: of a number Node would make one several times over.
  const all = isBodiless(status) ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  response.writeHead(status, all)
  depart(response, body)
}

/** Their answers end with their head (RFC 9110 15.3.5 and 15.4.5). */
const isBodiless = (status: number): boolean => status === 204 || status === 304

/** Sends the head of an answer whose bytes are written and ended by the caller. */
export function sendHead(exchange: Exchange, { status, headers }: Omit<Whole, 'body'>): ServerResponse {
  prepare(exchange, true)
  return exchange.response.writeHead(status, headers)
}

/** Before an answer leaves: what is unread of the request is read on, and a client that takes nothing of the answer is cut off. */
function prepare({ request, response, limits }: Exchange, isLarge: boolean): void {
  drain(request, limits)
  if (isLarge) response.setTimeout(limits.sendIdleMs, () => response.destroy())
}
