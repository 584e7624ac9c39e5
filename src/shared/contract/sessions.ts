import { Type } from 'typebox'
import { limits } from '../domain/limits.ts'
import { endpoint } from './endpoint.ts'

/** Any shape is taken: what is no object, or lacks a name, is a failed login and not a malformed request (contract 2.4). */
export const login = endpoint({
  route: 'sessions.login',
  summary: 'Log in; answers the session token as text and sets the cookie',
  who: 'anyone',
  body: 'json',
  schema: Type.Unknown(),
  maxBodyBytes: limits.loginBodyBytes,
  gives: ['text/plain'],
  fails: ['login-failed', 'too-many-tries', 'overloaded'],
})

export const renew = endpoint({
  route: 'sessions.renew',
  summary: 'Answers a fresh token of the same session',
  who: 'session',
  body: 'none',
  gives: ['text/plain'],
})

export const logout = endpoint({
  route: 'sessions.logout',
  summary: 'Ends the session and clears the cookie',
  who: 'session',
  takesCookieForChange: true,
  body: 'none',
})
