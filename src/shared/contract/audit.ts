import { Type } from 'typebox'
import { errorCodes } from '../domain/failure.ts'
import { auditActions, auditActors, type AuditAction, type AuditActor } from '../domain/audit-actions.ts'
import { limits } from '../domain/limits.ts'
import { endpoint } from './endpoint.ts'
import type { WireType } from './wire.ts'

/** The value of a detail of an event. */
export type AuditDetail = string | number | boolean | readonly string[]

const actionSchema = Type.Unsafe<AuditAction>(Type.Union(auditActions.map((action) => Type.Literal(action))))
const actorSchema = Type.Unsafe<AuditActor>(Type.Union(auditActors.map((actor) => Type.Literal(actor))))

const eventSchema = Type.Object(
  {
    id: Type.Integer(),
    time: Type.String(),
    action: actionSchema,
    outcome: Type.Unsafe<'ok' | (typeof errorCodes)[number]>(
      Type.Union([Type.Literal('ok'), ...errorCodes.map((code) => Type.Literal(code))], {
        description: '`ok`, or the error code of the failure',
      }),
    ),
    actor: actorSchema,
    userId: Type.Union([Type.Integer(), Type.Null()]),
    user: Type.String({
      description: 'The name of the user when the event happened. Empty for other actors',
    }),
    session: Type.String({ description: 'The id of the session, or the hash of the share of a guest' }),
    address: Type.String({ description: 'The address of the client' }),
    target: Type.String({ description: 'A path in the served folder, or the name of a user' }),
    destination: Type.String({ description: 'The destination of a move or a copy' }),
    details: Type.Unsafe<Readonly<Record<string, AuditDetail>>>(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Further facts, which depend on the action. Long texts here and in the other members are cut, and end with their length and a hash',
      }),
    ),
  },
  { title: 'AuditEvent' },
)

/** An event of the audit log in a response. */
export type AuditEventResource = WireType<typeof eventSchema>

const optionOf = (description: string) =>
  Type.Optional(Type.String({ description, maxLength: limits.optionCharacters }))

const filterOf = (description: string) =>
  Type.Optional(Type.String({ description, maxLength: limits.filterCharacters }))

const filterMembers = {
  from: optionOf('The earliest time, such as `2026-01-31T00:00:00Z`'),
  to: optionOf('The time before which the events happened'),
  user: filterOf('The exact name of a user'),
  action: filterOf('One or more actions, separated by commas'),
  path: filterOf('An entry or a folder, with everything below it'),
  text: filterOf('A part of the user name, the address, the path or the destination'),
  outcome: optionOf('`ok`, `failed`, or an error code'),
}

/** The query of a request for events. */
export type AuditQuery = WireType<typeof filterSchema>
const filterSchema = Type.Object(filterMembers)

const pageSchema = Type.Object(
  {
    events: Type.Array(eventSchema),
    next: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The value of `before` for the next page, which may follow a page without events',
    }),
    keptDays: Type.Integer({ description: 'The number of days for which events are kept' }),
  },
  { title: 'AuditPage' },
)

/** A page of events. */
export type AuditPage = WireType<typeof pageSchema>

export const listAudit = endpoint({
  route: 'audit.list',
  summary: 'Lists events of the audit log, the newest first',
  audience: 'admin',
  body: 'none',
  query: Type.Object({
    ...filterMembers,
    before: optionOf('Only events with a smaller id'),
    limit: optionOf('The number of events, at most 500. Of large events, a page contains fewer'),
  }),
  responses: { 'application/json': pageSchema },
})

export const exportAudit = endpoint({
  route: 'audit.export',
  summary: 'Sends all matching events of the audit log as CSV or as one JSON object per line',
  audience: 'admin',
  body: 'none',
  query: Type.Object({
    ...filterMembers,
    format: optionOf('`csv` (the default) or `jsonl`'),
  }),
  successStatuses: [200, 304],
  failures: ['changed-meanwhile'],
  responses: { 'text/csv': Type.String(), 'application/x-ndjson': Type.String() },
})
