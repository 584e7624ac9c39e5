import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { Session, Sessions, User, Users } from '../records/port.ts'
import type { SessionEnds } from './session-ends.ts'
import { sortableId } from './sortable-id.ts'
import type { TicketPlace, Tickets } from './tickets.ts'
import { digestOf, signToken, verifyExpiredToken, type TokenClaims, type TokenReader } from './tokens.ts'

/** What sessions are made of. */
export type SessionNeeds = {
  readonly users: Users
  readonly sessions: Sessions
  readonly ends: SessionEnds
  readonly tickets: Tickets
  /** Signs the tokens. */
  readonly key: Uint8Array
  /** Reads what was signed with the key. */
  readonly readToken: TokenReader
  /** How long a session lasts without use, and a token in any case. */
  readonly lifetimeMs: number
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

/** The raw credentials of a request; the shape is http's. */
export type Credentials = {
  readonly header: string | undefined
  readonly cookies: readonly string[]
  readonly query: string | undefined
  readonly place: TicketPlace
  readonly use: 'once' | 'repeated'
  readonly cookieCounts: boolean
}

export type RecognisedSession = {
  readonly session: Session
  readonly user: User
  /** Whether the token asks to be renewed (contract 2.3). A cookie alone never does. */
  readonly shouldRenew: boolean
  /**
   * Up to when the same header, whatever else is sent, leads to the same answer as long as nothing is stored anew; 0 for what is to be
   * judged each time, as all is that a header did not prove by itself.
   */
  readonly untilMs: number
}

export type OpenedSession = { readonly session: Session; readonly token: string; readonly cookie: string }

const secretBytes = 32
const longestTouchMs = 60_000
const mostAgentLength = 256

/** Opens a session: a token to send and, for the cookie, a secret that is nothing else. */
export async function openSession(
  needs: SessionNeeds,
  user: User,
  client: { readonly address: string; readonly agent: string },
): Promise<OpenedSession> {
  const atMs = needs.nowMs()
  const session: Session = {
    id: sortableId(atMs, needs.randomBytes),
    userId: user.id,
    createdAtMs: atMs,
    seenAtMs: atMs,
    idleUntilMs: atMs + needs.lifetimeMs,
    endsAtMs: atMs + limits.sessionMs,
    agent: storable(client.agent),
    address: storable(client.address),
  }
  const cookie = secret(needs)
  const { token, record } = newToken(needs, session, user)
  const ended = await needs.sessions.add({ ...session, cookieDigest: digestOf(cookie), token: record })
  needs.ends.announce(ended)
  await endUnlessSame(needs, user, session.id)
  return { session, token, cookie }
}

/**
 * While a password was checked, it may have been changed, which ends the sessions of before: this one was not there yet. A hash alone
 * may change at another login.
 */
async function endUnlessSame(needs: SessionNeeds, judged: User, sessionId: string): Promise<void> {
  const now = await needs.users.find(judged.id)
  const isSame = now?.passwordHash === judged.passwordHash || now?.changedAtMs === judged.changedAtMs
  if (now !== null && !now.isDisabled && isSame) return
  await endSession(needs, sessionId)
  throw new AppError('login-failed')
}

/** A fresh token of the same session; those before it stay good to their own end. */
export async function renewToken(needs: SessionNeeds, user: User, session: Session): Promise<string> {
  const { token, record } = newToken(needs, session, user)
  await needs.sessions.addToken(session.id, record)
  return token
}

/** Ends a session with everything that runs under it. */
export async function endSession(needs: Pick<SessionNeeds, 'sessions' | 'ends'>, id: string): Promise<void> {
  await needs.sessions.end(id)
  needs.ends.announce([id])
}

/** Ends the sessions of a user, all but for one if named. */
export async function endSessionsOf(
  needs: Pick<SessionNeeds, 'sessions' | 'ends'>,
  userId: number,
  but?: string,
): Promise<void> {
  needs.ends.announce(await needs.sessions.endAllOf(userId, but))
}

/** Removes a user, then ends what runs under their sessions. Where the removal is refused, none ends. */
export async function removeWithSessions(
  needs: Pick<SessionNeeds, 'users' | 'sessions' | 'ends'>,
  userId: number,
): Promise<void> {
  const living = await needs.sessions.listOf(userId)
  await needs.users.remove(userId)
  needs.ends.announce(living.map(({ id }) => id))
}

/**
 * The living session behind a request's credentials, with its user as stored now; null when there is none (contract 2.2). A header
 * of three parts is final; else the cookies, where they count, then the query.
 */
export async function recogniseSession(
  needs: SessionNeeds,
  credentials: Credentials,
): Promise<RecognisedSession | null> {
  const found = await findSession(needs, credentials)
  if (found === null) return null
  const { session, claims } = found
  const user = await needs.users.find(session.userId)
  if (user === null || user.isDisabled) return null
  if (claims !== null && claims.user.id !== user.id) return null
  const seen = isFresh(needs, session) ? session : await touched(needs, session)
  const shouldRenew = claims !== null && isStale(claims, user, needs.nowMs())
  return {
    session: seen,
    user,
    shouldRenew,
    untilMs: isByHeader(credentials) ? endOfAnswer(needs, { session: seen, claims, shouldRenew }) : 0,
  }
}

/** When a token, its session, or the time in which neither use is written nor renewal is asked for is over. */
function endOfAnswer(
  needs: SessionNeeds,
  { session, claims, shouldRenew }: Found & Pick<RecognisedSession, 'shouldRenew'>,
): number {
  if (claims === null) return 0
  const staleAtMs = shouldRenew ? Infinity : ((claims.iat + claims.exp) / 2) * 1000
  const { idleUntilMs, endsAtMs, seenAtMs } = session
  return Math.min(idleUntilMs, endsAtMs, seenAtMs + touchedEveryMs(needs), claims.exp * 1000, staleAtMs)
}

/**
 * The session behind a token whose time is over, where a trusted proxy says of the same request that it is that person's (contract
 * 2.7). Having been left alone for long does not count either; what was ended, by whomever, stays ended.
 */
export async function recogniseVouched(
  needs: SessionNeeds,
  { header }: Pick<Credentials, 'header'>,
  username: string,
): Promise<RecognisedSession | null> {
  const claims = header === undefined ? null : verifyExpiredToken(needs.key, header, needs.nowMs())
  if (claims === null || claims.jtiDigest === null) return null
  const session = await needs.sessions.findUnendedByJti(claims.jtiDigest)
  const user = session === null ? null : await needs.users.find(session.userId)
  if (session === null || user === null || user.isDisabled) return null
  if (user.id !== claims.user.id || user.username !== username) return null
  const seen = isFresh(needs, session) ? session : await touched(needs, session)
  return { session: seen, user, shouldRenew: true, untilMs: 0 }
}

type Found = { readonly session: Session; readonly claims: TokenClaims | null }

function findSession(needs: SessionNeeds, credentials: Credentials): Promise<Found | null> {
  return isByHeader(credentials)
    ? findByToken(needs, credentials.header)
    : findWithoutHeader(needs, credentials)
}

/** Then nothing else is looked at. Old clients send `null` where they have no token. */
const isByHeader = (credentials: Credentials): credentials is Credentials & { readonly header: string } =>
  credentials.header !== undefined && isTokenShaped(credentials.header)

async function findWithoutHeader(needs: SessionNeeds, credentials: Credentials): Promise<Found | null> {
  const { cookies, query, cookieCounts } = credentials
  const byCookie = cookieCounts ? await findByCookies(needs, cookies) : null
  if (byCookie !== null) return byCookie
  if (query === undefined) return null
  return isTokenShaped(query) ? findByToken(needs, query) : findByTicket(needs, query, credentials)
}

/** A ticket stands for the session that asked for it, as long as that lives. */
async function findByTicket(
  needs: SessionNeeds,
  ticket: string,
  { place, use }: Pick<Credentials, 'place' | 'use'>,
): Promise<Found | null> {
  const holder = needs.tickets.redeem(ticket, place, use)
  const living = holder === null ? [] : await needs.sessions.listOf(holder.userId)
  const session = living.find(({ id }) => id === holder?.sessionId)
  return session === undefined ? null : { session, claims: null }
}

const isTokenShaped = (text: string): boolean => text.split('.', 4).length === 3

async function findByToken(needs: SessionNeeds, token: string): Promise<Found | null> {
  const claims = needs.readToken(token, needs.nowMs())
  if (claims === null || claims.jtiDigest === null) return null
  const session = await needs.sessions.findByJti(claims.jtiDigest)
  return session !== null && session.userId === claims.user.id ? { session, claims } : null
}

/** What does not verify is ignored; those that do must be of one session. Old clients put a token into the cookie themselves. */
async function findByCookies(needs: SessionNeeds, cookies: readonly string[]): Promise<Found | null> {
  const found: Session[] = []
  for (const value of cookies.slice(0, 10)) {
    const session = isTokenShaped(value)
      ? (await findByToken(needs, value))?.session
      : await needs.sessions.findByCookie(digestOf(value))
    if (session) found.push(session)
  }
  const [first, ...others] = found
  if (first === undefined || others.some(({ id }) => id !== first.id)) return null
  return { session: first, claims: null }
}

/** Less than half of the lifetime left, or the user changed after it was issued. */
function isStale({ exp, iat }: TokenClaims, user: User, nowMs: number): boolean {
  if (exp - nowMs / 1000 < (exp - iat) / 2) return true
  return user.changedAtMs !== null && Math.floor(user.changedAtMs / 1000) > iat
}

/** Use is written at most once a minute. */
const isFresh = (needs: SessionNeeds, { seenAtMs }: Session): boolean =>
  needs.nowMs() - seenAtMs < touchedEveryMs(needs)

const touchedEveryMs = ({ lifetimeMs }: SessionNeeds): number => Math.min(longestTouchMs, lifetimeMs / 10)

/** Use keeps a session alive. Where that cannot be kept, the request is served all the same. */
async function touched(needs: SessionNeeds, session: Session): Promise<Session> {
  const seenAtMs = needs.nowMs()
  const until = { seenAtMs, idleUntilMs: seenAtMs + needs.lifetimeMs }
  try {
    await needs.sessions.touch(session.id, until)
    return { ...session, ...until }
  } catch (error) {
    if (isOfMachine(error)) return session
    throw error
  }
}

const isOfMachine = (error: unknown): boolean => ['no-space', 'unavailable', 'busy'].includes(codeOf(error))

function newToken(needs: SessionNeeds, session: Session, user: User) {
  const [jti, issuedAtMs] = [secret(needs), needs.nowMs()]
  const expiresAtMs = Math.min(issuedAtMs + needs.lifetimeMs, session.endsAtMs)
  if (expiresAtMs <= issuedAtMs) throw new AppError('not-signed-in')
  return {
    token: signToken(needs.key, { user, jti, issuedAtMs, expiresAtMs }),
    record: { jtiDigest: digestOf(jti), expiresAtMs },
  }
}

const secret = ({ randomBytes }: Pick<SessionNeeds, 'randomBytes'>): string =>
  Buffer.from(randomBytes(secretBytes)).toString('base64url')

/** What a stranger sent, cut and without what databases refuse. */
const storable = (text: string): string =>
  text
    .slice(0, mostAgentLength)
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
