import { Type } from 'typebox'
import type { TakeoverMessage } from '../domain/takeover/takeover-notes.ts'
import type { TakeoverNoteSubject } from '../domain/takeover/takeover-report.ts'
import { endpoint } from './endpoint.ts'
import type { WireType } from './wire.ts'

export const getHealth = endpoint({
  route: 'health.get',
  summary:
    'Responds with 200 when the server works. Any method is accepted, but not from pages of other servers',
  audience: 'anyone',
  body: 'none',
  responses: { 'application/json': Type.Object({ status: Type.Literal('OK') }) },
  failures: ['unavailable', 'forbidden'],
})

export const getMetrics = endpoint({
  route: 'metrics.get',
  summary:
    'Figures about the server as OpenMetrics, for programs that send the token of `--metricsToken` as `Authorization: Bearer`; 404 otherwise',
  audience: 'anyone',
  body: 'none',
  requestHeaders: [{ name: 'Authorization', description: '`Bearer`, a space and the token' }],
  responses: { 'application/openmetrics-text': Type.String() },
  failures: ['not-found'],
})

export const getOpenApi = endpoint({
  route: 'openapi.get',
  summary: 'This description of the API, as OpenAPI 3.1',
  audience: 'anyone',
  body: 'none',
  responses: {
    'application/json': Type.Object({
      openapi: Type.String(),
      info: Type.Object({}),
      paths: Type.Object({}),
    }),
  },
})

const subjectMembers = {
  user: Type.String({ description: 'The name of the user whom this is about. Empty for the whole server' }),
  userId: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The id of this user. Null when there is no such user now',
  }),
}

const noteSchema = Type.Object(
  {
    text: Type.String({ description: 'A sentence in English' }),
    message: Type.Unsafe<TakeoverMessage | null>(
      Type.Union([
        Type.Object({
          code: Type.String({ description: 'The kind of the sentence' }),
          values: Type.Record(Type.String(), Type.Unknown(), { description: 'The facts in the sentence' }),
        }),
        Type.Null({ description: 'The takeover was made by an early version, which stored only sentences' }),
      ]),
    ),
    subject: Type.Unsafe<TakeoverNoteSubject | null>(
      Type.Union([Type.Literal('everybody'), Type.Literal('new-users'), Type.Null()]),
    ),
    ...subjectMembers,
  },
  { title: 'TakeoverNote' },
)

/** A sentence of the report of a takeover, and the user whom it is about. */
export type TakeoverNoteResource = WireType<typeof noteSchema>

/** The kinds of steps that an administrator may have to take after a takeover. */
export const takeoverStepKinds = [
  'check-account',
  'set-password',
  'turn-on-hooks',
  'turn-on-commands',
  'name-proxy',
] as const

type TakeoverStepKind = (typeof takeoverStepKinds)[number]

const stepSchema = Type.Object(
  {
    kind: Type.Unsafe<TakeoverStepKind>(Type.Union(takeoverStepKinds.map((kind) => Type.Literal(kind)))),
    ...subjectMembers,
    count: Type.Integer({ description: 'The number of hook commands for `turn-on-hooks`, otherwise 0' }),
  },
  { title: 'TakeoverStep' },
)

/** A step that an administrator still has to take. */
export type TakeoverStepResource = WireType<typeof stepSchema>

const takeoverSchema = Type.Object(
  {
    time: Type.String(),
    from: Type.String({ description: 'The path of the database. Empty when it is not known' }),
    kept: Type.Array(noteSchema),
    changed: Type.Array(noteSchema),
    left: Type.Array(noteSchema),
    steps: Type.Array(stepSchema),
  },
  { title: 'Takeover' },
)

/** The takeover of a database of File Browser. */
export type TakeoverResource = WireType<typeof takeoverSchema>

export const getTakeover = endpoint({
  route: 'takeover.get',
  summary: 'Returns the report of the takeover from File Browser',
  audience: 'admin',
  body: 'none',
  responses: {
    'application/json': Type.Object({
      takeover: Type.Union([takeoverSchema, Type.Null()]),
    }),
  },
})
