import { Type } from 'typebox'
import { pathText } from './wire.ts'
import { endpoint } from './endpoint.ts'

/**
 * The kinds of tickets. The name of a kind is the first word, in the singular, of the names of the routes that accept
 * the ticket in `?auth=`.
 */
export const ticketKinds = ['raw', 'preview', 'subtitle', 'command'] as const
export type TicketKind = (typeof ticketKinds)[number]

export const createTicket = endpoint({
  route: 'tickets.create',
  summary: 'Creates a ticket, which `?auth=` accepts once, at one path, within a minute',
  audience: 'session',
  body: 'json',
  schema: Type.Object({
    path: pathText,
    kind: Type.Unsafe<TicketKind>(Type.Union(ticketKinds.map((kind) => Type.Literal(kind)))),
  }),
  responses: { 'text/plain': Type.String({ description: 'The ticket' }) },
  failures: ['too-many-tries'],
})
