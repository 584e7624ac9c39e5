import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

/** What a ticket opens: the first word of the names of the calls that take one in `?auth=`, of one thing. */
export const ticketKinds = ['raw', 'preview', 'subtitle', 'command'] as const
export type TicketKind = (typeof ticketKinds)[number]

export const createTicket = endpoint({
  route: 'tickets.create',
  summary: 'Answers a text that is good in `?auth=` at one path, for one use within a minute',
  who: 'session',
  body: 'json',
  schema: Type.Object({
    path: Type.String(),
    kind: Type.Union(ticketKinds.map((kind) => Type.Literal(kind))),
  }),
  gives: { 'text/plain': Type.String({ description: 'The ticket' }) },
  fails: ['too-many-tries'],
})
