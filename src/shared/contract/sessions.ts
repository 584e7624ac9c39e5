import { Type } from 'typebox'
import { limits } from '../domain/limits.ts'
import { homeFailures } from './answers/home.ts'
import { schemaOf } from './answers/schema-of.ts'
import { endpoint } from './endpoint.ts'

const tokenText = Type.String({ description: 'The token of the session, as it goes into `X-Auth`' })

/** Any shape is taken: what is no object, or lacks a name, is a failed login and not a malformed request (contract 2.4). */
export const login = endpoint({
  route: 'sessions.login',
  summary: 'Log in; answers the session token as text and sets the cookie',
  who: 'anyone',
  body: 'json',
  schema: Type.Unknown(),
  maxBodyBytes: limits.loginBodyBytes,
  gives: { 'text/plain': tokenText },
  fails: ['login-failed', 'too-many-tries', 'overloaded'],
})

/** Any shape is taken: whether strangers may sign up at all is said before the shape is judged. */
export const signup = endpoint({
  route: 'sessions.signup',
  summary: 'Make oneself an account, where that is allowed',
  who: 'anyone',
  body: 'json',
  schema: Type.Unknown(),
  maxBodyBytes: limits.loginBodyBytes,
  fails: [
    'method-not-allowed',
    'login-failed',
    'name-taken',
    'too-many-tries',
    'overloaded',
    ...homeFailures,
  ],
})

export const renew = endpoint({
  route: 'sessions.renew',
  summary: 'Answers a fresh token of the same session',
  who: 'session',
  body: 'none',
  gives: { 'text/plain': tokenText },
  fails: ['too-many-tries'],
})

export const logout = endpoint({
  route: 'sessions.logout',
  summary: 'Ends the session and clears the cookie',
  who: 'session',
  takesCookieForChange: true,
  body: 'none',
})

/** A session as answered; `id` is no credential. Times as everywhere on the wire. */
export type SessionResource = {
  readonly id: string
  readonly created: string
  readonly seen: string
  /** When it ends unless it is used. */
  readonly expires: string
  readonly agent: string
  readonly address: string
  /** Whether it is the one that asks. */
  readonly current: boolean
}

const sessionSchema = schemaOf<SessionResource>()(
  Type.Object(
    {
      id: Type.String(),
      created: Type.String(),
      seen: Type.String(),
      expires: Type.String(),
      agent: Type.String(),
      address: Type.String(),
      current: Type.Boolean(),
    },
    { title: 'Session' },
  ),
)

export const listSessions = endpoint({
  route: 'sessions.list',
  summary: 'The own sessions, the last used one first',
  who: 'session',
  body: 'none',
  gives: { 'application/json': Type.Array(sessionSchema) },
})

export const endSession = endpoint({
  route: 'sessions.end',
  summary: 'Ends one of the own sessions, named by its id',
  who: 'session',
  isOfName: true,
  body: 'none',
  fails: ['not-found'],
})

export const endOtherSessions = endpoint({
  route: 'sessions.end-others',
  summary: 'Ends all of the own sessions but the one that asks',
  who: 'session',
  body: 'none',
})
