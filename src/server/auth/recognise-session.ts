import { isDeepStrictEqual } from 'node:util'
import type { SessionRecord } from '../records/session-store.ts'
import type { User } from '../records/user-store.ts'
import { findByOriginalToken } from './original-tokens.ts'
import type { SessionDependencies } from './sessions.ts'
import type { TicketTarget } from './tickets.ts'
import { digestOf, tokenUserOf, verifyExpiredToken, type TokenClaims } from './tokens.ts'

/** The credentials of a request as they were sent, before any of them is verified. */
export type SessionCredentials = {
  /** The value of `X-Auth`. */
  readonly header: string | undefined
  /** The values of all cookies named `auth`, in the order in which they were sent. */
  readonly cookies: readonly string[]
  /** The value of `?auth=`: a token, or a ticket for `target`. Undefined when the endpoint does not accept `?auth=`. */
  readonly query: string | undefined
  /** The kind and the path that a ticket must match. */
  readonly target: TicketTarget
  /** `once` invalidates a ticket with this request; `repeated` leaves it valid for further requests. */
  readonly use: 'once' | 'repeated'
  /**
   * True when the cookie is accepted (contract 2.2): for GET, HEAD and socket handshakes, and for logging out from our
   * own origin.
   */
  readonly acceptsCookie: boolean
}

export type RecognisedSession = {
  readonly session: SessionRecord
  readonly user: User
  /** True when the client should renew its token (contract 2.3). It is never true for a cookie alone. */
  readonly shouldRenew: boolean
  /**
   * Until this time, every request with the same header has the same result, unless a record changes. 0 when the result
   * cannot be reused, which is the case for all credentials other than the header.
   */
  readonly untilMs: number
}

/** Maximum interval at which the last use of an active session is stored: one minute. */
const maxTouchIntervalMs = 60_000

/**
 * Returns the unexpired session behind a request's credentials, with its user as stored now, or null when there is none
 * (contract 2.2). If the header contains a text of three parts, only the header is checked. Otherwise the cookies are
 * checked, if the endpoint accepts them, and then the query.
 */
export async function recogniseSession(
  dependencies: SessionDependencies,
  credentials: SessionCredentials,
): Promise<RecognisedSession | null> {
  const found = await findSession(dependencies, credentials)
  if (found === null) return null
  const { session, claims } = found
  const user = await dependencies.users.find(session.userId)
  if (user === null || user.isDisabled) return null
  if (claims !== null && claims.user.id !== user.id) return null
  const seen = isFresh(dependencies, session) ? session : await touchSession(dependencies, session)
  const shouldRenew = claims !== null && isStale(claims, user, dependencies.nowMs())
  return {
    session: seen,
    user,
    shouldRenew,
    untilMs: isByHeader(credentials) ? validUntilMs(dependencies, { session: seen, claims, shouldRenew }) : 0,
  }
}

/**
 * Returns the earliest time at which the token or its session expires, the session's last use must be stored again, or
 * the token should be renewed.
 */
function validUntilMs(
  dependencies: SessionDependencies,
  { session, claims, shouldRenew }: SessionMatch & Pick<RecognisedSession, 'shouldRenew'>,
): number {
  if (claims === null) return 0
  const staleAtMs = shouldRenew ? Infinity : ((claims.iat + claims.exp) / 2) * 1000
  const { idleUntilMs, endsAtMs, seenAtMs } = session
  return Math.min(
    idleUntilMs,
    endsAtMs,
    seenAtMs + touchIntervalMs(dependencies),
    claims.exp * 1000,
    staleAtMs,
  )
}

/**
 * Returns the session behind an expired token when a trusted proxy names the token's user in the same request (contract
 * 2.7). A session that was idle for too long is accepted too. A session that anybody has ended is not.
 */
export async function recogniseVouched(
  dependencies: SessionDependencies,
  { header }: Pick<SessionCredentials, 'header'>,
  username: string,
): Promise<RecognisedSession | null> {
  const claims =
    header === undefined ? null : verifyExpiredToken(dependencies.key, header, dependencies.nowMs())
  if (claims === null || claims.jtiDigest === null) return null
  const session = await dependencies.sessions.findUnendedByJti(claims.jtiDigest)
  const user = session === null ? null : await dependencies.users.find(session.userId)
  if (session === null || user === null || user.isDisabled) return null
  if (user.id !== claims.user.id || user.username !== username) return null
  const seen = isFresh(dependencies, session) ? session : await touchSession(dependencies, session)
  return { session: seen, user, shouldRenew: true, untilMs: 0 }
}

type SessionMatch = { readonly session: SessionRecord; readonly claims: TokenClaims | null }

function findSession(
  dependencies: SessionDependencies,
  credentials: SessionCredentials,
): Promise<SessionMatch | null> {
  return isByHeader(credentials)
    ? findByToken(dependencies, credentials.header)
    : findWithoutHeader(dependencies, credentials)
}

/** Returns true when only the header is checked. Old clients send the header `null` when they have no token. */
const isByHeader = (
  credentials: SessionCredentials,
): credentials is SessionCredentials & { readonly header: string } =>
  credentials.header !== undefined && isTokenShaped(credentials.header)

async function findWithoutHeader(
  dependencies: SessionDependencies,
  credentials: SessionCredentials,
): Promise<SessionMatch | null> {
  const { cookies, query, acceptsCookie } = credentials
  const byCookie = acceptsCookie ? await findByCookies(dependencies, cookies) : null
  if (byCookie !== null) return byCookie
  if (query === undefined) return null
  return isTokenShaped(query)
    ? findByToken(dependencies, query)
    : findByTicket(dependencies, query, credentials)
}

/** Finds the session for which a ticket was issued. Returns null when the session has ended. */
async function findByTicket(
  dependencies: SessionDependencies,
  ticket: string,
  { target, use }: Pick<SessionCredentials, 'target' | 'use'>,
): Promise<SessionMatch | null> {
  const holder = await dependencies.tickets.redeem(ticket, target, use)
  const living = holder === null ? [] : await dependencies.sessions.listOf(holder.userId)
  const session = living.find(({ id }) => id === holder?.sessionId)
  return session === undefined ? null : { session, claims: null }
}

const isTokenShaped = (text: string): boolean => text.split('.', 4).length === 3

async function findByToken(dependencies: SessionDependencies, token: string): Promise<SessionMatch | null> {
  const claims = dependencies.readToken(token, dependencies.nowMs())
  if (claims === null) return null
  const session =
    claims.jtiDigest === null
      ? await findByOriginalToken(dependencies, token, claims)
      : await dependencies.sessions.findByJti(claims.jtiDigest)
  return session !== null && session.userId === claims.user.id ? { session, claims } : null
}

/**
 * Finds the session of the cookies. Invalid cookies are ignored, and all valid cookies must belong to the same session.
 * Old clients store a token in the cookie themselves.
 */
async function findByCookies(
  dependencies: SessionDependencies,
  cookies: readonly string[],
): Promise<SessionMatch | null> {
  const found: SessionRecord[] = []
  for (const value of cookies.slice(0, 10)) {
    const session = isTokenShaped(value)
      ? (await findByToken(dependencies, value))?.session
      : await dependencies.sessions.findByCookie(digestOf(value))
    if (session) found.push(session)
  }
  const [first, ...others] = found
  if (first === undefined || others.some(({ id }) => id !== first.id)) return null
  return { session: first, claims: null }
}

/**
 * Returns true when less than half of the token's lifetime is left, or the user was changed after the token was issued.
 * Tokens contain whole seconds. For a change in the second in which the token was issued, the user in the token is
 * compared with the current user.
 */
function isStale(claims: TokenClaims, user: User, nowMs: number): boolean {
  const { exp, iat } = claims
  if (exp - nowMs / 1000 < (exp - iat) / 2) return true
  if (user.changedAtMs === null) return false
  const changedAtSeconds = Math.floor(user.changedAtMs / 1000)
  if (changedAtSeconds !== iat) return changedAtSeconds > iat
  return !isDeepStrictEqual(tokenUserOf(user), claims.user)
}

/** Returns true when the stored time of the session's last use is recent enough. It is stored at most once a minute. */
const isFresh = (dependencies: SessionDependencies, { seenAtMs }: SessionRecord): boolean =>
  dependencies.nowMs() - seenAtMs < touchIntervalMs(dependencies)

const touchIntervalMs = ({ lifetimeMs }: SessionDependencies): number =>
  Math.min(maxTouchIntervalMs, lifetimeMs / 10)

/** Extends the session's idle time. */
function touchSession(dependencies: SessionDependencies, session: SessionRecord): Promise<SessionRecord> {
  const seenAtMs = dependencies.nowMs()
  // The session of a token of File Browser ends with the token, and not earlier when it is idle.
  const neverIdles = session.idleUntilMs === session.endsAtMs
  const idleUntilMs = neverIdles ? session.endsAtMs : seenAtMs + dependencies.lifetimeMs
  return dependencies.touch(session, { seenAtMs, idleUntilMs })
}
