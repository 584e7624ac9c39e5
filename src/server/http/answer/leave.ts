import type { FastifyReply } from 'fastify'
import type { Exchange } from '../exchange.ts'
import { drain } from '../request/drain.ts'

export type Headers = Readonly<Record<string, string | string[]>>

/** What leaves in one piece. */
export type Whole = { readonly status: number; readonly headers: Headers; readonly body: string | Uint8Array }

/** What the kernel takes at once needs no clock. */
const smallBytes = 16 * 1024

/** Every answer that is ready leaves here. */
export function sendWhole(exchange: Exchange, reply: FastifyReply, { status, headers, body }: Whole): void {
  const { response } = exchange
  begin(exchange, body.length > smallBytes)
  reply.hijack()
  const all = isBodiless(status) ? headers : { ...headers, 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, all).end(body)
}

/** Their answers end with their head (RFC 9110 15.3.5 and 15.4.5). */
const isBodiless = (status: number): boolean => status === 204 || status === 304

/** Takes an answer away from the framework: from here on it is ours to write and to end. */
export function takeOver(exchange: Exchange, reply: FastifyReply): void {
  begin(exchange, true)
  reply.hijack()
}

/** Before an answer leaves: what is unread of the request is read on, and a client that takes nothing of the answer is cut off. */
function begin({ request, response, limits }: Exchange, isLarge: boolean): void {
  drain(request, limits)
  if (isLarge) response.setTimeout(limits.sendIdleMs, () => response.destroy())
}
