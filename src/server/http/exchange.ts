import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Depart } from './answer/departure.ts'
import type { ClientFacts } from './route.ts'
import type { HttpLimits } from './http-options.ts'
import type { Lifeline } from './lifeline.ts'
import type { Match } from './request/route-table.ts'
import type { Target } from './request/request-target.ts'

/** One request and its answer on their way through the door. */
export type Exchange = {
  /** Made when it is first asked for. */
  readonly id: () => string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Null when the request names no path at all. */
  readonly target: Target | null
  readonly match: Match
  readonly client: ClientFacts
  readonly lifeline: Lifeline
  readonly limits: HttpLimits
  readonly depart: Depart
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** Under which it runs; null as long as nobody is known to ask. */
  sessionId: string | null
  /** Whether the answer asks the client to renew its token; known once the caller is. */
  shouldRenew: boolean
}

/** A reader of a request's headers by lower-case name; what came several times is one text. */
export function headerReader({ headers }: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
}

/** Whether a request brings a body, by its head. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
