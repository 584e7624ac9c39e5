import { Type } from 'typebox'
import { limits } from '../domain/limits.ts'
import { homeFailures } from './errors.ts'
import { endpoint } from './endpoint.ts'
import { nullish, optionText, passwordText, type WireType } from './wire.ts'

const tokenText = Type.String({ description: 'The token of the session, which requests carry in `X-Auth`' })

/**
 * The schema of the login request accepts a body of any shape: a body that is not an object or has no user name counts
 * as a failed login, not as a malformed request (contract 2.4).
 */
export const login = endpoint({
  route: 'sessions.login',
  summary: 'Logs in. Returns the session token as text and sets the cookie',
  audience: 'anyone',
  body: 'json',
  schema: Type.Unknown(),
  maxBodyBytes: limits.loginBodyBytes,
  responses: { 'text/plain': tokenText },
  failures: ['login-failed', 'unknown-host', 'too-many-tries', 'overloaded'],
})

/**
 * The schema of the sign-up request accepts a body of any shape, because a server that does not allow sign-up refuses
 * the request before it checks the body.
 */
export const signup = endpoint({
  route: 'sessions.signup',
  summary: 'Creates an account for the caller, if signup is allowed',
  audience: 'anyone',
  body: 'json',
  schema: Type.Unknown(),
  maxBodyBytes: limits.loginBodyBytes,
  failures: [
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
  summary: 'Returns a new token of the same session',
  audience: 'session',
  body: 'none',
  responses: { 'text/plain': tokenText },
  failures: ['too-many-tries'],
})

export const logout = endpoint({
  route: 'sessions.logout',
  summary: 'Ends the session and clears the cookie',
  audience: 'session',
  takesCookieForChange: true,
  body: 'none',
})

const sessionSchema = Type.Object(
  {
    /** The identifier of the session. It is not a credential. */
    id: Type.String(),
    created: Type.String(),
    seen: Type.String(),
    /** The time at which the session ends unless it is used before then. */
    expires: Type.String(),
    agent: Type.String(),
    address: Type.String(),
    /** True for the session with which the current request is authenticated. */
    current: Type.Boolean(),
  },
  { title: 'Session' },
)

/** A session in a response of the API. Its times have the format of all times in the API. */
export type SessionResource = WireType<typeof sessionSchema>

export const listSessions = endpoint({
  route: 'sessions.list',
  summary: 'Lists the caller’s own sessions, the most recently used session first',
  audience: 'session',
  body: 'none',
  responses: { 'application/json': Type.Array(sessionSchema) },
})

export const endSession = endpoint({
  route: 'sessions.end',
  summary: 'Ends one of the caller’s own sessions; the rest of the path is its id',
  audience: 'session',
  hasIdentifierPath: true,
  body: 'none',
  failures: ['not-found'],
})

export const endOtherSessions = endpoint({
  route: 'sessions.end-others',
  summary: 'Ends all of the caller’s own sessions except the current one',
  audience: 'session',
  body: 'none',
})

export const listSessionsOf = endpoint({
  route: 'sessions.list-of',
  summary: 'Lists the sessions of a user, the most recently used session first',
  audience: 'admin',
  body: 'none',
  responses: { 'application/json': Type.Array(sessionSchema) },
  failures: ['not-found'],
})

export const endSessionsOf = endpoint({
  route: 'sessions.end-of',
  summary:
    'Ends the sessions of a user that `ids` names, or all of them. The session of the caller and the links of the user stay',
  audience: 'admin',
  body: 'json',
  schema: Type.Union([
    Type.Undefined(),
    Type.Null(),
    Type.Object({
      ids: nullish(Type.Array(optionText, { maxItems: limits.recordMembers })),
      current_password: nullish(passwordText),
    }),
  ]),
  failures: ['not-found', 'wrong-password', 'overloaded'],
})
