import { login, logout, renew } from '../../shared/contract/sessions.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { ClientFacts } from '../http/route.ts'
import { done, route, type Route } from '../http/route.ts'
import type { Session, User } from '../records/port.ts'
import { clearedCookie, sessionCookie } from './cookie.ts'
import { ownSessionRoutes, type OwnSessionsNeeds } from './own-sessions.ts'
import { signupRoute, type SignupNeeds } from './signup.ts'
import { ticketRoutes, type TicketNeeds } from './tickets.ts'

/** What somebody hands over to log in; empty where nothing was given. */
export type Attempt = {
  readonly username: string
  readonly password: string
  readonly challenge: string
  readonly client: ClientFacts
  /** A header of the request, by its lower-case name. */
  readonly header: (name: string) => string | undefined
}

/** What the calls of a session need of the rest of the server. */
export type SessionNeeds = OwnSessionsNeeds &
  TicketNeeds & {
    /** Where the cookie counts: the base path, empty for none. */
    readonly basePath: string
    readonly signup: SignupNeeds
    /** Whoever it is. `login-failed` when it is nobody, `too-many-tries` after too many of those. */
    readonly authenticate: (attempt: Attempt) => Promise<User>
    /** Opens a session; the cookie's value is a secret of its own. */
    readonly open: (
      user: User,
      client: ClientFacts,
    ) => Promise<{ readonly token: string; readonly cookie: string }>
    /** A fresh token of the same session. */
    readonly renew: (user: User, session: Session) => Promise<string>
  }

/** Login, renewal and log out (contract 2.4, 2.5, 2.9), the list of sessions, and tickets. */
export const sessionRoutes = (needs: SessionNeeds): readonly Route[] => [
  route(login, async ({ body, client, header }) => {
    const user = await needs.authenticate({ ...credentialsOf(body), client, header })
    const { token, cookie } = await needs.open(user, client)
    return {
      kind: 'text',
      text: token,
      cookies: [sessionCookie(cookie, { basePath: needs.basePath, isSecure: client.isSecure })],
    }
  }),
  route(renew, async ({ caller }) => ({
    kind: 'text',
    text: await needs.renew(caller.user, caller.session),
    headers: { 'X-Renew-Token': 'false' },
  })),
  route(logout, async ({ caller, client }) => {
    await needs.end(caller.session)
    return { ...done, cookies: [clearedCookie({ basePath: needs.basePath, isSecure: client.isSecure })] }
  }),
  signupRoute(needs.signup),
  ...ownSessionRoutes(needs),
  ...ticketRoutes(needs),
]

/** Anything but an object of texts is a failed login and no malformed request; what is left out is empty. */
function credentialsOf(body: unknown): Omit<Attempt, 'client' | 'header'> {
  const members: Readonly<Record<string, unknown>> = { ...(typeof body === 'object' ? body : {}) }
  return {
    username: textOf(members['username']),
    password: textOf(members['password']),
    challenge: textOf(members['recaptcha']),
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new AppError('login-failed')
  return value
}
