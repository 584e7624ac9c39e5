import type { Selectable } from 'kysely'
import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { isForeignKeyViolation } from './constraint-violation.ts'
import { lockUser } from './sql/dialect.ts'
import type { SessionRecord, SessionStore, SessionToken } from './session-store.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

/**
 * The maximum number of valid tokens of one session. Clients renew their token a few times a day, so only an attacker
 * reaches this number.
 */
const tokensPerSession = 1000

/**
 * The number of rows of ended and of idle sessions that are kept for one user, those of the latest use. A user who logs in in a
 * loop would otherwise fill the database for 30 days (docs/decisions, 123).
 */
export const inactiveSessionsPerUser = 1000

/**
 * Creates the store of sessions. The row of an ended session is kept until the session's absolute end, unless its user has
 * too many of them. A token without a row is not valid. A token of File Browser opens a session when it has none, so the user's
 * tokens of File Browser are refused once the row of such a session was deleted early. No session becomes valid again.
 */
export function createSessions(
  database: Database,
  nowMs: () => number,
  inactiveRows = inactiveSessionsPerUser,
): SessionStore {
  const activeSessionsNow = () => activeSessions(database, nowMs())

  return {
    add: (session) =>
      database
        .transaction()
        .execute((transaction) => addSession(transaction, session, inactiveRows))
        .catch(missingUserError('login-failed')),
    addOnce: (session) =>
      database
        .transaction()
        .execute((transaction) => addSessionOnce(transaction, session, inactiveRows))
        .catch(missingUserError('login-failed')),
    addToken: (sessionId, token) =>
      database
        .transaction()
        .execute((transaction) => addToken(transaction, sessionId, { token, atMs: nowMs() }))
        .catch(missingUserError('not-signed-in')),
    findByJti: async (jtiDigest) => sessionOfToken(activeSessionsNow(), jtiDigest),
    findUnendedByJti: async (jtiDigest) => sessionOfToken(unendedSessions(database, nowMs()), jtiDigest),
    async findByCookie(cookieDigest) {
      const row = await activeSessionsNow()
        .where('session.cookie_digest', '=', cookieDigest)
        .executeTakeFirst()
      return row ? sessionOf(row) : null
    },
    async listOf(userId) {
      const rows = await activeSessionsNow()
        .where('session.user_id', '=', userId)
        .orderBy('session.seen_at', 'desc')
        .execute()
      return rows.map(sessionOf)
    },
    count: () => countRows(activeSessionsNow()),
    unended: (ids) => selectIds(unendedSessions(database, nowMs()), ids),
    active: (ids) => selectIds(activeSessionsNow(), ids),
    async touch(id, { seenAtMs, idleUntilMs }) {
      await database
        .updateTable('session')
        .set({ seen_at: seenAtMs, idle_until: idleUntilMs })
        .where('id', '=', id)
        .execute()
    },
    async end(id) {
      await endByIds(database, { ids: [id], atMs: nowMs() })
    },
    endAllOf: (userId, exceptId) =>
      database
        .transaction()
        .execute((transaction) => endAllOf(transaction, userId, { exceptId, atMs: nowMs() })),
  }
}

async function countRows(sessions: ReturnType<typeof activeSessions>): Promise<number> {
  const { count } = await sessions
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Creates an error handler that converts a violated foreign key into the given error. The violation occurs when the
 * user or session is removed during a login or the renewal of a token.
 */
const missingUserError =
  (code: ErrorCode) =>
  (cause: unknown): never => {
    throw isForeignKeyViolation(cause) ? new AppError(code, { cause }) : cause
  }

async function endAllOf(
  transaction: Database,
  userId: number,
  { exceptId, atMs }: { readonly exceptId: string | undefined; readonly atMs: number },
): Promise<readonly string[]> {
  await refuseOldTokens(transaction, userId)
  const rows = await unendedSessions(transaction, atMs).where('session.user_id', '=', userId).execute()
  const ids = rows.map(({ id }) => id).filter((id) => id !== exceptId)
  await endByIds(transaction, { ids, atMs })
  return ids
}

const activeSessions = (database: Database, atMs: number) =>
  unendedSessions(database, atMs).where('session.idle_until', '>', atMs)

/** Selects the sessions that were not ended and have not reached their absolute end, including idle sessions. */
const unendedSessions = (database: Database, atMs: number) =>
  database
    .selectFrom('session')
    .selectAll('session')
    .where('session.ended_at', 'is', null)
    .where('session.ends_at', '>', atMs)

async function selectIds(
  sessions: ReturnType<typeof unendedSessions>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await sessions.where('session.id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

async function sessionOfToken(
  sessions: ReturnType<typeof unendedSessions>,
  jtiDigest: string,
): Promise<SessionRecord | null> {
  const row = await sessions
    .innerJoin('session_token', 'session_token.session_id', 'session.id')
    .where('session_token.jti_digest', '=', jtiDigest)
    .executeTakeFirst()
  return row ? sessionOf(row) : null
}

async function addSession(
  transaction: Database,
  session: Parameters<SessionStore['add']>[0],
  inactiveRows: number,
): Promise<readonly string[]> {
  const atMs = session.createdAtMs
  await lockUser(transaction, session.userId)
  await transaction.deleteFrom('session').where('ends_at', '<=', atMs).execute()
  const others = await activeSessions(transaction, atMs)
    .where('session.user_id', '=', session.userId)
    .orderBy('session.seen_at', 'desc')
    .orderBy('session.id', 'desc')
    .execute()
  const ids = others.slice(limits.sessionsPerUser - 1).map(({ id }) => id)
  await endByIds(transaction, { ids, atMs })
  await removeInactive(transaction, session.userId, { rows: inactiveRows, atMs })
  await transaction
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
  await insertToken(transaction, session.id, session.token)
  return ids
}

/** Removes the rows of a user's sessions that are no longer active, beyond their maximum number, and all expired tokens. */
async function removeInactive(
  transaction: Database,
  userId: number,
  { rows, atMs }: { readonly rows: number; readonly atMs: number },
): Promise<void> {
  const inactive = transaction
    .selectFrom('session')
    .select('id')
    .where('user_id', '=', userId)
    .where((expression) =>
      expression.or([expression('ended_at', 'is not', null), expression('idle_until', '<=', atMs)]),
    )
  const latest = inactive.orderBy('seen_at', 'desc').orderBy('id', 'desc').limit(rows)
  const removed = await transaction
    .deleteFrom('session')
    .where('id', 'in', inactive)
    .where('id', 'not in', latest)
    .returning(['idle_until', 'ends_at'])
    .execute()
  // Only the session of a token of File Browser is never idle before its end.
  if (removed.some((row) => row.idle_until === row.ends_at)) await refuseOldTokens(transaction, userId)
  const own = transaction.selectFrom('session').select('id').where('user_id', '=', userId)
  await transaction
    .deleteFrom('session_token')
    .where('session_id', 'in', own)
    .where('expires_at', '<=', atMs)
    .execute()
}

async function addSessionOnce(
  transaction: Database,
  session: Parameters<SessionStore['add']>[0],
  inactiveRows: number,
): Promise<readonly string[]> {
  await lockUser(transaction, session.userId)
  const user = await transaction
    .selectFrom('user')
    .select('refuses_old_tokens')
    .where('id', '=', session.userId)
    .executeTakeFirst()
  if (user?.refuses_old_tokens !== 0) return []
  const known = await transaction
    .selectFrom('session_token')
    .select('session_id')
    .where('jti_digest', '=', session.token.jtiDigest)
    .executeTakeFirst()
  return known ? [] : addSession(transaction, session, inactiveRows)
}

async function addToken(
  transaction: Database,
  sessionId: string,
  { token, atMs }: { readonly token: SessionToken; readonly atMs: number },
): Promise<void> {
  await transaction
    .deleteFrom('session_token')
    .where('session_id', '=', sessionId)
    .where('expires_at', '<=', atMs)
    .execute()
  const { count } = await transaction
    .selectFrom('session_token')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= tokensPerSession) throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
  await insertToken(transaction, sessionId, token)
}

async function insertToken(transaction: Database, sessionId: string, token: SessionToken): Promise<void> {
  await transaction
    .insertInto('session_token')
    .values({ jti_digest: token.jtiDigest, session_id: sessionId, expires_at: token.expiresAtMs })
    .execute()
}

/**
 * Marks all sessions of a user as ended. Called when the user's name or password has changed, or when the user was
 * disabled.
 */
export async function markUserSessionsEnded(
  transaction: Database,
  userId: number,
  atMs: number,
): Promise<void> {
  await refuseOldTokens(transaction, userId)
  await transaction
    .updateTable('session')
    .set({ ended_at: atMs })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends the tokens of File Browser that no session was opened for. */
async function refuseOldTokens(transaction: Database, userId: number): Promise<void> {
  await transaction.updateTable('user').set({ refuses_old_tokens: 1 }).where('id', '=', userId).execute()
}

async function endByIds(
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

const sessionOf = (row: Selectable<DatabaseTables['session']>): SessionRecord => ({
  id: row.id,
  userId: row.user_id,
  createdAtMs: row.created_at,
  seenAtMs: row.seen_at,
  idleUntilMs: row.idle_until,
  endsAtMs: row.ends_at,
  agent: row.agent,
  address: row.address,
})
