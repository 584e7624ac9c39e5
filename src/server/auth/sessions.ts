import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { Account, User, UserFields, UserStore } from '../records/user-store.ts'
import type { SessionRecord, SessionStore } from '../records/session-store.ts'
import type { SessionEndNotifier } from './session-ends.ts'
import type { SessionToucher } from './session-touch.ts'
import { sortableId } from './sortable-id.ts'
import type { TicketOffice } from './tickets.ts'
import { digestOf, signToken, type TokenReader } from './tokens.ts'

/** The dependencies of the functions for sessions. */
export type SessionDependencies = {
  readonly users: UserStore
  readonly sessions: SessionStore
  /** Stores the last use of a session. */
  readonly touch: SessionToucher
  readonly ends: SessionEndNotifier
  readonly tickets: TicketOffice
  /** The key that signs the tokens. */
  readonly key: Uint8Array
  /** Verifies tokens that were signed with the key. */
  readonly readToken: TokenReader
  /**
   * The time of the takeover, if tokens that File Browser issued before it are accepted; null otherwise (contract 2.1).
   */
  readonly acceptsTokensBeforeMs: number | null
  /** The lifetime of an unused session, and of every token. */
  readonly lifetimeMs: number
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

export type OpenedSession = {
  readonly session: SessionRecord
  readonly token: string
  readonly cookie: string
}

const secretBytes = 32
const maxClientTextLength = 256

/** Opens a session. Returns a token to send and, for the cookie, a separate secret. */
export async function openSession(
  dependencies: SessionDependencies,
  user: User,
  client: { readonly address: string; readonly agent: string },
): Promise<OpenedSession> {
  const atMs = dependencies.nowMs()
  const session: SessionRecord = {
    id: sortableId(atMs, dependencies.randomBytes),
    userId: user.id,
    createdAtMs: atMs,
    seenAtMs: atMs,
    idleUntilMs: atMs + dependencies.lifetimeMs,
    endsAtMs: atMs + limits.sessionMs,
    agent: sanitizeClientText(client.agent),
    address: sanitizeClientText(client.address),
  }
  const cookie = secret(dependencies)
  const { token, record } = newToken(dependencies, session, user)
  const ended = await dependencies.sessions.add({ ...session, cookieDigest: digestOf(cookie), token: record })
  dependencies.ends.announce(ended)
  await endIfUserChanged(dependencies, user, session.id)
  return { session, token, cookie }
}

/**
 * Ends the new session and throws `login-failed` if the user was removed, disabled or changed while the password was
 * checked: a password change ends all existing sessions, but this session did not exist yet. If the hash is different
 * and `changedAtMs` is the same, another login has only re-hashed the password, and the session stays.
 */
async function endIfUserChanged(
  dependencies: SessionDependencies,
  judged: User,
  sessionId: string,
): Promise<void> {
  const now = await dependencies.users.find(judged.id)
  const isSame = now?.passwordHash === judged.passwordHash || now?.changedAtMs === judged.changedAtMs
  if (now !== null && !now.isDisabled && isSame) return
  await endSession(dependencies, sessionId)
  throw new AppError('login-failed')
}

/** Returns a new token of the same session. Earlier tokens stay valid until they expire. */
export async function renewToken(
  dependencies: SessionDependencies,
  user: Account,
  session: SessionRecord,
): Promise<string> {
  const { token, record } = newToken(dependencies, session, user)
  await dependencies.sessions.addToken(session.id, record)
  return token
}

/** Ends a session, with all operations that run under it. */
export async function endSession(
  dependencies: Pick<SessionDependencies, 'sessions' | 'ends'>,
  id: string,
): Promise<void> {
  await dependencies.sessions.end(id)
  dependencies.ends.announce([id])
}

/** Ends all sessions of a user except the session `but`, if it is given. */
export async function endUserSessions(
  dependencies: Pick<SessionDependencies, 'sessions' | 'ends'>,
  userId: number,
  but?: string,
): Promise<void> {
  dependencies.ends.announce(await dependencies.sessions.endAllOf(userId, but))
}

/**
 * Changes a user. When the change disables the account, the store ends its sessions, and all operations that run under
 * them end afterwards. If the change is refused, no session ends.
 */
export async function updateWithSessions(
  dependencies: Pick<SessionDependencies, 'users' | 'sessions' | 'ends'>,
  userId: number,
  fields: Partial<UserFields>,
): Promise<void> {
  const ended = fields.isDisabled === true ? await dependencies.sessions.listOf(userId) : []
  await dependencies.users.update(userId, fields)
  dependencies.ends.announce(ended.map(({ id }) => id))
}

/**
 * Removes a user, then ends all operations that run under the user's sessions. If the removal is refused, no session
 * ends.
 */
export async function removeWithSessions(
  dependencies: Pick<SessionDependencies, 'users' | 'sessions' | 'ends'>,
  userId: number,
): Promise<void> {
  const living = await dependencies.sessions.listOf(userId)
  await dependencies.users.remove(userId)
  dependencies.ends.announce(living.map(({ id }) => id))
}

function newToken(dependencies: SessionDependencies, session: SessionRecord, user: Account) {
  const [jti, issuedAtMs] = [secret(dependencies), dependencies.nowMs()]
  const expiresAtMs = Math.min(issuedAtMs + dependencies.lifetimeMs, session.endsAtMs)
  if (expiresAtMs <= issuedAtMs) throw new AppError('not-signed-in')
  return {
    token: signToken(dependencies.key, { user, jti, issuedAtMs, expiresAtMs }),
    record: { jtiDigest: digestOf(jti), expiresAtMs },
  }
}

const secret = ({ randomBytes }: Pick<SessionDependencies, 'randomBytes'>): string =>
  Buffer.from(randomBytes(secretBytes)).toString('base64url')

/** Shortens a text from a client and replaces the characters that databases refuse. */
const sanitizeClientText = (text: string): string =>
  text
    .slice(0, maxClientTextLength)
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
