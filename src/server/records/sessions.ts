import type { Selectable } from 'kysely'
import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { isOrphan } from './constraint.ts'
import { holdUser } from './dialect.ts'
import type { Session, Sessions, SessionToken } from './port.ts'
import type { Database, Tables } from './tables.ts'

type Row = Selectable<Tables['session']>

/** Clients renew a few times a day; who asks for more than this at once is no client. */
const tokensPerSession = 1000

/** Sessions in the database. One that has ended keeps its row to its absolute end, so that nothing can revive it. */
export function createSessions(database: Database, nowMs: () => number): Sessions {
  const living = () => livingSessions(database, nowMs())

  return {
    add: (session) =>
      database
        .transaction()
        .execute((inside) => addSession(inside, session))
        .catch(ifGone('login-failed')),
    addToken: (sessionId, token) =>
      database
        .transaction()
        .execute((inside) => addToken(inside, sessionId, { token, atMs: nowMs() }))
        .catch(ifGone('not-signed-in')),
    findByJti: async (jtiDigest) => ofToken(living(), jtiDigest),
    findUnendedByJti: async (jtiDigest) => ofToken(unendedSessions(database, nowMs()), jtiDigest),
    async findByCookie(cookieDigest) {
      const row = await living().where('session.cookie_digest', '=', cookieDigest).executeTakeFirst()
      return row ? sessionOf(row) : null
    },
    async listOf(userId) {
      const rows = await living()
        .where('session.user_id', '=', userId)
        .orderBy('session.seen_at', 'desc')
        .execute()
      return rows.map(sessionOf)
    },
    unended: (ids) => idsIn(unendedSessions(database, nowMs()), ids),
    living: (ids) => idsIn(living(), ids),
    async touch(id, { seenAtMs, idleUntilMs }) {
      await database
        .updateTable('session')
        .set({ seen_at: seenAtMs, idle_until: idleUntilMs })
        .where('id', '=', id)
        .execute()
    },
    async end(id) {
      await endWhere(database, { ids: [id], atMs: nowMs() })
    },
    endAllOf: (userId, but) =>
      database.transaction().execute((inside) => endAllOf(inside, userId, { but, atMs: nowMs() })),
  }
}

/** Users are removed while they log in or renew: the row that theirs would belong to is not there any more. */
const ifGone =
  (code: ErrorCode) =>
  (cause: unknown): never => {
    throw isOrphan(cause) ? new AppError(code, { cause }) : cause
  }

async function endAllOf(
  inside: Database,
  userId: number,
  { but, atMs }: { readonly but: string | undefined; readonly atMs: number },
): Promise<readonly string[]> {
  const rows = await unendedSessions(inside, atMs).where('session.user_id', '=', userId).execute()
  const ids = rows.map(({ id }) => id).filter((id) => id !== but)
  await endWhere(inside, { ids, atMs })
  return ids
}

const livingSessions = (database: Database, atMs: number) =>
  unendedSessions(database, atMs).where('session.idle_until', '>', atMs)

/** Those that were left alone for too long as well. */
const unendedSessions = (database: Database, atMs: number) =>
  database
    .selectFrom('session')
    .selectAll('session')
    .where('session.ended_at', 'is', null)
    .where('session.ends_at', '>', atMs)

async function idsIn(
  sessions: ReturnType<typeof unendedSessions>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await sessions.where('session.id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

async function ofToken(
  sessions: ReturnType<typeof unendedSessions>,
  jtiDigest: string,
): Promise<Session | null> {
  const row = await sessions
    .innerJoin('session_token', 'session_token.session_id', 'session.id')
    .where('session_token.jti_digest', '=', jtiDigest)
    .executeTakeFirst()
  return row ? sessionOf(row) : null
}

async function addSession(
  inside: Database,
  session: Parameters<Sessions['add']>[0],
): Promise<readonly string[]> {
  const atMs = session.createdAtMs
  await holdUser(inside, session.userId)
  await inside.deleteFrom('session').where('ends_at', '<=', atMs).execute()
  const others = await livingSessions(inside, atMs)
    .where('session.user_id', '=', session.userId)
    .orderBy('session.seen_at', 'desc')
    .orderBy('session.id', 'desc')
    .execute()
  const ids = others.slice(limits.sessionsPerUser - 1).map(({ id }) => id)
  await endWhere(inside, { ids, atMs })
  await inside
    .insertInto('session')
    .values({
      id: session.id,
      user_id: session.userId,
      cookie_digest: session.cookieDigest,
      created_at: session.createdAtMs,
      seen_at: session.seenAtMs,
      idle_until: session.idleUntilMs,
      ends_at: session.endsAtMs,
      agent: session.agent,
      address: session.address,
      ended_at: null,
    })
    .execute()
  await insertToken(inside, session.id, session.token)
  return ids
}

async function addToken(
  inside: Database,
  sessionId: string,
  { token, atMs }: { readonly token: SessionToken; readonly atMs: number },
): Promise<void> {
  await inside
    .deleteFrom('session_token')
    .where('session_id', '=', sessionId)
    .where('expires_at', '<=', atMs)
    .execute()
  const { count } = await inside
    .selectFrom('session_token')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= tokensPerSession) throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
  await insertToken(inside, sessionId, token)
}

async function insertToken(inside: Database, sessionId: string, token: SessionToken): Promise<void> {
  await inside
    .insertInto('session_token')
    .values({ jti_digest: token.jtiDigest, session_id: sessionId, expires_at: token.expiresAtMs })
    .execute()
}

/** Ends all sessions of a user whose name, password or right to be here has gone. */
export async function endSessionsOf(inside: Database, userId: number, atMs: number): Promise<void> {
  await inside
    .updateTable('session')
    .set({ ended_at: atMs })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute()
}

async function endWhere(
  database: Database,
  { ids, atMs }: { readonly ids: readonly string[]; readonly atMs: number },
): Promise<void> {
  if (ids.length === 0) return
  await database
    .updateTable('session')
    .set({ ended_at: atMs })
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .execute()
}

const sessionOf = (row: Row): Session => ({
  id: row.id,
  userId: row.user_id,
  createdAtMs: row.created_at,
  seenAtMs: row.seen_at,
  idleUntilMs: row.idle_until,
  endsAtMs: row.ends_at,
  agent: row.agent,
  address: row.address,
})
