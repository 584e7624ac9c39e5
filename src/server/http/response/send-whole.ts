import type { ServerResponse } from 'node:http'
import type { HttpExchange } from '../exchange.ts'
import { drain } from '../request/drain.ts'
import { smallResponseBytes } from './response-batcher.ts'

/** The headers of a response by their names. */
export type ResponseHeaders = Readonly<Record<string, string | string[]>>

/** A response whose complete body is in memory. */
export type WholeResponse = {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: string | Uint8Array
}

/**
 * Sends a response whose complete body is in memory. A small response is written together with the other small
 * responses of this turn of the event loop.
 */
export function sendWhole(exchange: HttpExchange, { status, headers, body }: WholeResponse): undefined {
  const { request, response, endResponse } = exchange
  prepareConnection(exchange, body.length > smallResponseBytes)
  // The length is passed as a string, because Node would convert a number to a string several times.
  const bytes = isBodiless(status) ? null : Buffer.byteLength(body)
  response.writeHead(status, bytes === null ? headers : { ...headers, 'content-length': String(bytes) })
  if (bytes !== null && request.method !== 'HEAD') exchange.onChunk?.(bytes, 'sent')
  endResponse(response, body)
}

/** A body is counted above this size: 256 KiB. Smaller ones are bounded by the number of connections. */
const largeBodyBytes = 256 * 1024

/**
 * Counts a large body that was made for this response until the response has been sent. Throws `overloaded` when the user, or
 * everybody together, holds too many of them, because a client may read slowly. One that exceeds the share of a user is sent
 * while the user holds nothing else.
 */
export function holdLargeBody(
  { response, caller, client, limits, largeResponses }: HttpExchange,
  body: string | Uint8Array,
): void {
  const bytes = body.length > largeBodyBytes / 3 ? Buffer.byteLength(body) : 0
  if (bytes <= largeBodyBytes) return
  const key = caller === null ? client.address : `user ${caller.user.id}`
  response.once('close', largeResponses.take(key, Math.min(bytes, limits.largeResponseBytesPerPerson)))
}

/** True for statuses without a body (RFC 9110 15.3.5 and 15.4.5). */
const isBodiless = (status: number): boolean => status === 204 || status === 304

/** Writes the head of a response. The caller writes the body and ends the response. */
export function sendHead(
  exchange: HttpExchange,
  { status, headers }: Omit<WholeResponse, 'body'>,
): ServerResponse {
  prepareConnection(exchange, true)
  return exchange.response.writeHead(status, headers)
}

/**
 * Prepares the connection for a response: starts to read and drop the rest of the request, and for a large response
 * sets a timeout (`sendIdleMs`) after which a client that reads nothing is disconnected.
 */
function prepareConnection({ request, response, limits }: HttpExchange, isLarge: boolean): void {
  drain(request, limits)
  if (isLarge) response.setTimeout(limits.sendIdleMs, () => response.destroy())
}
