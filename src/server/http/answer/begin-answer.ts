import type { FastifyReply } from 'fastify'
import type { Exchange } from '../exchange.ts'
import { drain } from '../request/drain.ts'

/** Before an answer leaves: what is unread of the request is read on, and a client that takes nothing of the answer is cut off. */
export function beginAnswer({ request, response, limits }: Exchange): void {
  drain(request, limits)
  response.setTimeout(limits.sendIdleMs, () => response.destroy())
}

/** Takes an answer away from the framework: from here on it is ours to write and to end. */
export function takeOver(exchange: Exchange, reply: FastifyReply): void {
  reply.hijack()
  beginAnswer(exchange)
}
