import type { ServerResponse } from 'node:http'
import type { Exchange } from '../exchange.ts'
import { drain } from '../request/drain.ts'
import { smallResponseBytes } from './response-batcher.ts'

/** The headers of a response by their names. */
export type ResponseHeaders = Readonly<Record<string, string | string[]>>

/** A response whose body is complete. */
export type WholeResponse = {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: string | Uint8Array
}

/**
 * Sends a response whose body is complete. A small answer is written together with the other small responses of this turn
 * of the event loop.
 */
export function sendWhole(exchange: Exchange, { status, headers, body }: WholeResponse): undefined {
  const { response, endResponse } = exchange
  prepareConnection(exchange, body.length > smallResponseBytes)
  // The length is a string, because Node would convert a number several times.
  const all = isBodiless(status) ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  response.writeHead(status, all)
  endResponse(response, body)
}

/** True for statuses without a body (RFC 9110 15.3.5 and 15.4.5). */
const isBodiless = (status: number): boolean => status === 204 || status === 304

/** Sends the head of a response. The caller writes the body and ends the response. */
export function sendHead(
  exchange: Exchange,
  { status, headers }: Omit<WholeResponse, 'body'>,
): ServerResponse {
  prepareConnection(exchange, true)
  return exchange.response.writeHead(status, headers)
}

/**
 * Prepares the connection for a response: starts to read and drop the rest of the request, and sets the timeout
 * `sendIdleMs` for a client that accepts no bytes of a large answer.
 */
function prepareConnection({ request, response, limits }: Exchange, isLarge: boolean): void {
  drain(request, limits)
  if (isLarge) response.setTimeout(limits.sendIdleMs, () => response.destroy())
}
