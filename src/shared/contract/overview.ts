import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import type { WireType } from './wire.ts'

/** The states of a server to which administrators are asked to attend, in the order in which they are shown. */
export const concernKinds = [
  'known-vulnerability',
  'advisories-unread',
  'disk-full',
  'missing-folder',
  'quota-full',
  'whole-server',
  'open-signup',
  'short-passwords',
  'no-audit-log',
] as const

/** A state of the server to which an administrator should attend. */
export type ConcernKind = (typeof concernKinds)[number]

const advisorySchema = Type.Object({
  id: Type.String(),
  summary: Type.String(),
  url: Type.Union([Type.String(), Type.Null()]),
})

/** A known vulnerability of the version that runs. */
export type Advisory = WireType<typeof advisorySchema>

const overviewSchema = Type.Object(
  {
    version: Type.String(),
    started: Type.String({ description: 'The start of the process that responds' }),
    disk: Type.Union([Type.Object({ total: Type.Number(), used: Type.Number() }), Type.Null()], {
      description: 'The size in bytes of the disk with the served folder. Null when it does not respond',
    }),
    users: Type.Integer(),
    links: Type.Integer({ description: 'The number of links that have not expired' }),
    sessions: Type.Integer(),
    advisories: Type.Union(
      [
        Type.Object({
          checked: Type.Union([Type.String(), Type.Null()], {
            description: 'The time of the last list of advisories. Null before the first one',
          }),
          isUnread: Type.Boolean({ description: 'True when the last request brought no list' }),
          found: Type.Array(advisorySchema, { description: 'The advisories about this version' }),
        }),
        Type.Null(),
      ],
      {
        description: 'What is known about vulnerabilities. Null when the server does not ask for advisories',
      },
    ),
    concerns: Type.Array(
      Type.Object({
        kind: Type.Unsafe<ConcernKind>(Type.Union(concernKinds.map((kind) => Type.Literal(kind)))),
        users: Type.Array(Type.Object({ id: Type.Integer(), username: Type.String() }), {
          description: 'The first users whom it is about. Empty when it is about the server',
        }),
        otherUsers: Type.Integer({ description: 'The number of users who are left out' }),
      }),
      { description: 'The states to which an administrator should attend' },
    ),
  },
  { title: 'Overview' },
)

/** The state of the server for administrators. */
export type Overview = WireType<typeof overviewSchema>

export const getOverview = endpoint({
  route: 'overview.get',
  summary: 'Returns the state of the server: version, disk, users, links, sessions, and what needs attention',
  audience: 'admin',
  body: 'none',
  responses: { 'application/json': overviewSchema },
})
