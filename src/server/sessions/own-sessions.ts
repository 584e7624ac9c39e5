import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionResource,
} from '../../shared/contract/sessions.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf } from '../../shared/domain/path.ts'
import { done, route, type Route } from '../http/route.ts'
import type { Session } from '../records/port.ts'

export type OwnSessionsNeeds = {
  /** A user's living sessions, the last used one first. */
  readonly listOf: (userId: number) => Promise<readonly Session[]>
  /** Ends a session with every token, socket and transfer of it. */
  readonly end: (session: Session) => Promise<void>
  /** Ends those of a user, all but for one. */
  readonly endOthers: (userId: number, but: string) => Promise<void>
}

/** The list of the own sessions, and ending them from it (contract 2.9). Nobody sees or ends another's. */
export const ownSessionRoutes = (needs: OwnSessionsNeeds): readonly Route[] => [
  route(listSessions, async ({ caller }) => ({
    kind: 'json',
    json: (await needs.listOf(caller.user.id)).map((session) => sessionResource(session, caller.session)),
  })),
  route(endSession, async ({ caller, path }) => {
    const own = await needs.listOf(caller.user.id)
    const session = own.find(({ id }) => id === nameOf(path))
    if (session === undefined) throw new AppError('not-found')
    await needs.end(session)
    return done
  }),
  route(endOtherSessions, async ({ caller }) => {
    await needs.endOthers(caller.user.id, caller.session.id)
    return done
  }),
]

const sessionResource = (session: Session, asking: Session): SessionResource => ({
  id: session.id,
  created: timeOf(session.createdAtMs),
  seen: timeOf(session.seenAtMs),
  expires: timeOf(Math.min(session.idleUntilMs, session.endsAtMs)),
  agent: session.agent,
  address: session.address,
  current: session.id === asking.id,
})

const timeOf = (atMs: number): string => new Date(atMs).toISOString()
