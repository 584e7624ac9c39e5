import type { SessionResource } from '../../shared/contract/sessions.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { SessionRecord } from '../records/session-store.ts'

export type OwnSessionsDependencies = {
  /** Returns a user's unexpired sessions, starting with the most recently used session. */
  readonly listOf: (userId: number) => Promise<readonly SessionRecord[]>
  /** Ends a session together with its tokens, sockets and transfers. */
  readonly end: (session: SessionRecord) => Promise<void>
  /** Ends all sessions of a user except the given session. */
  readonly endOthers: (userId: number, exceptId: string) => Promise<void>
}

/** Lists the sessions of the user of a session, which is marked in the list. */
export const listOwnSessions = async (
  { listOf }: OwnSessionsDependencies,
  current: SessionRecord,
): Promise<SessionResource[]> =>
  (await listOf(current.userId)).map((session) => sessionResource(session, current))

/** Ends one of a user's own sessions. Throws `not-found` for a session of somebody else (contract 2.9). */
export async function endOwnSession(
  { listOf, end }: OwnSessionsDependencies,
  userId: number,
  sessionId: string,
): Promise<void> {
  const session = (await listOf(userId)).find(({ id }) => id === sessionId)
  if (session === undefined) throw new AppError('not-found')
  await end(session)
}

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
