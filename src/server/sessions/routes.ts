import {
  endOtherSessions,
  endSession,
  endSessionsOf,
  listSessions,
  listSessionsOf,
  login,
  logout,
  renew,
  signup,
} from '../../shared/contract/sessions.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf } from '../../shared/domain/path.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import { done, route, type ClientConnection, type Route } from '../http/route.ts'
import type { Account, User } from '../records/user-store.ts'
import type { SessionRecord } from '../records/session-store.ts'
import { clearedCookie, sessionCookie } from './cookie.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'
import {
  endSessionsOfUser,
  listSessionsOfUser,
  type SessionsOfUsersDependencies,
} from './sessions-of-users.ts'
import { signUp, type SignupDependencies, type SignupForm } from './signup.ts'
import { ticketRoutes, type TicketRouteDependencies } from './tickets.ts'

/** The credentials of one login. Texts that the client did not send are empty. */
export type LoginRequest = {
  readonly username: string
  readonly password: string
  readonly challenge: string
  readonly client: ClientConnection
  /** Returns a header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** Returns each value of a header by its lower-case name. */
  readonly headerValues: (name: string) => readonly string[]
  /** The port at which the connection arrived. Null for a connection with TLS or through the unix socket. */
  readonly plainPort: number | null
}

/** The dependencies of the routes for sessions. */
export type SessionRouteDependencies = SessionsOfUsersDependencies &
  TicketRouteDependencies & {
    /** The path of the cookie: the server's base path, or an empty text when the server has no base path. */
    readonly basePath: string
    readonly signup: SignupDependencies
    /** Throws `wrong-password` when a password is given and is not the user's password. */
    readonly checkCurrentPassword: (user: Account, password: string | null | undefined) => Promise<void>
    /**
     * Returns the user who logs in. Throws `login-failed` when no user matches, and `too-many-tries` after too many
     * failures.
     */
    readonly authenticate: (attempt: LoginRequest) => Promise<User>
    /** Opens a session. The cookie's value is a separate secret, not the token. */
    readonly open: (
      user: User,
      client: ClientConnection,
    ) => Promise<{ readonly token: string; readonly cookie: string }>
    /** Returns a new token of the same session. */
    readonly renew: (user: Account, session: SessionRecord) => Promise<string>
  }

/** The routes of login, renewal and logout (contract 2.4, 2.5, 2.9), of the list of sessions, and of tickets. */
export const sessionRoutes = (dependencies: SessionRouteDependencies): readonly Route[] => [
  route(login, async ({ body, client, header, headerValues, plainPort }) => {
    const user = await dependencies.authenticate({
      ...credentialsOf(body),
      client,
      header,
      headerValues,
      plainPort,
    })
    const { token, cookie } = await dependencies.open(user, client)
    return {
      kind: 'text',
      text: token,
      cookies: [sessionCookie(cookie, { basePath: dependencies.basePath, isSecure: client.isSecure })],
    }
  }),
  route(renew, async ({ caller }) => ({
    kind: 'text',
    text: await dependencies.renew(caller.user, caller.session),
    headers: { 'X-Renew-Token': 'false' },
  })),
  route(logout, async ({ caller, client }) => {
    await dependencies.end(caller.session)
    return {
      ...done,
      cookies: [clearedCookie({ basePath: dependencies.basePath, isSecure: client.isSecure })],
    }
  }),
  route(signup, async ({ body, client }) => {
    await signUp(dependencies.signup, client.address, signupFormOf(body))
    return done
  }),
  route(listSessions, async ({ caller }) =>
    jsonResponse(await listOwnSessions(dependencies, caller.session)),
  ),
  route(endSession, async ({ caller, path }) => {
    await endOwnSession(dependencies, caller.user.id, nameOf(path))
    return done
  }),
  route(endOtherSessions, async ({ caller }) => {
    await dependencies.endOthers(caller.user.id, caller.session.id)
    return done
  }),
  route(listSessionsOf, async ({ caller, params: { id } }) =>
    jsonResponse(await listSessionsOfUser(dependencies, id, caller.session)),
  ),
  route(endSessionsOf, async ({ caller, params: { id }, body }) => {
    await dependencies.checkCurrentPassword(caller.user, body?.current_password)
    const sessions = { ids: body?.ids ?? null, current: caller.session }
    await endSessionsOfUser(dependencies, id, sessions)
    return done
  }),
  ...ticketRoutes(dependencies),
]

/**
 * Reads the credentials from a login's body. A body that is not an object of strings counts as a failed login instead
 * of a malformed request. Missing fields are empty.
 */
function credentialsOf(body: unknown): Pick<LoginRequest, 'username' | 'password' | 'challenge'> {
  const members = membersOf(body)
  return {
    username: textOf(members['username']),
    password: textOf(members['password']),
    challenge: textOf(members['recaptcha']),
  }
}

/** Reads the form of a signup. Returns null unless it has a name and a password. */
function signupFormOf(body: unknown): SignupForm | null {
  const { username, password, recaptcha } = membersOf(body)
  const challenge = recaptcha ?? ''
  if (typeof username !== 'string' || typeof password !== 'string' || typeof challenge !== 'string')
    return null
  return username === '' || password === '' ? null : { username, password, challenge }
}

const membersOf = (body: unknown): Readonly<Record<string, unknown>> => ({
  ...(typeof body === 'object' ? body : {}),
})

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new AppError('login-failed')
  return value
}
