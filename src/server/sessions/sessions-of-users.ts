import type { SessionResource } from '../../shared/contract/sessions.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { SessionRecord } from '../records/session-store.ts'
import type { Account } from '../records/user-store.ts'
import { listOwnSessions, type OwnSessionsDependencies } from './own-sessions.ts'

export type SessionsOfUsersDependencies = OwnSessionsDependencies & {
  /** Returns the user with an id, or null. */
  readonly findUser: (id: number) => Promise<Account | null>
}

/** Lists the sessions of a user for an administrator, whose own session is marked. Throws `not-found` without such a user. */
export async function listSessionsOfUser(
  dependencies: SessionsOfUsersDependencies,
  userId: number,
  current: SessionRecord,
): Promise<SessionResource[]> {
  await requireUser(dependencies, userId)
  return listOwnSessions(dependencies, { ...current, userId })
}

/**
 * Ends the named sessions of a user, or all of them. The session of the administrator stays, and so do sessions of other users.
 * Throws `not-found` when none of the named sessions is a session of this user. Links of the user are no sessions, and keep working.
 */
export async function endSessionsOfUser(
  dependencies: SessionsOfUsersDependencies,
  userId: number,
  { ids, current }: { readonly ids: readonly string[] | null; readonly current: SessionRecord },
): Promise<void> {
  await requireUser(dependencies, userId)
  if (ids === null) return dependencies.endOthers(userId, current.id)
  const sessions = await dependencies.listOf(userId)
  const named = sessions.filter(({ id }) => ids.includes(id))
  if (named.length === 0 && ids.length > 0) throw new AppError('not-found')
  for (const session of named) if (session.id !== current.id) await dependencies.end(session)
}

async function requireUser({ findUser }: SessionsOfUsersDependencies, id: number): Promise<void> {
  if ((await findUser(id)) === null) throw new AppError('not-found')
}
