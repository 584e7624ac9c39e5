import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionResource,
} from '../../shared/contract/sessions.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf } from '../../shared/domain/path.ts'
import { done, route, type Route } from '../http/route.ts'
import type { SessionRecord } from '../records/port.ts'

export type OwnSessionsDependencies = {
  /** Returns a user's unexpired sessions, starting with the most recently used session. */
  readonly listOf: (userId: number) => Promise<readonly SessionRecord[]>
  /** Ends a session together with its tokens, sockets and transfers. */
  readonly end: (session: SessionRecord) => Promise<void>
  /** Ends all sessions of a user except the given session. */
  readonly endOthers: (userId: number, exceptId: string) => Promise<void>
}

/**
 * The routes that list the caller's own sessions and end them (contract 2.9). Nobody can see or end another user's
 * sessions.
 */
export const ownSessionRoutes = (dependencies: OwnSessionsDependencies): readonly Route[] => [
  route(listSessions, async ({ caller }) => ({
    kind: 'json',
    json: (await dependencies.listOf(caller.user.id)).map((session) =>
      sessionResource(session, caller.session),
    ),
  })),
  route(endSession, async ({ caller, path }) => {
    const own = await dependencies.listOf(caller.user.id)
    const session = own.find(({ id }) => id === nameOf(path))
    if (session === undefined) throw new AppError('not-found')
    await dependencies.end(session)
    return done
  }),
  route(endOtherSessions, async ({ caller }) => {
    await dependencies.endOthers(caller.user.id, caller.session.id)
    return done
  }),
]

const sessionResource = (session: SessionRecord, current: SessionRecord): SessionResource => ({
  id: session.id,
  created: timeOf(session.createdAtMs),
  seen: timeOf(session.seenAtMs),
  expires: timeOf(Math.min(session.idleUntilMs, session.endsAtMs)),
  agent: session.agent,
  address: session.address,
  current: session.id === current.id,
})

const timeOf = (atMs: number): string => new Date(atMs).toISOString()
