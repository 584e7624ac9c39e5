import type { Path } from '../../shared/domain/path.ts'
import type { RequestIdentity } from '../access/caller-factory.ts'
import type { Caller } from '../access/caller.ts'
import type { SessionWatcher } from '../auth/session-ends.ts'

/** The credentials of a request as they were sent, before any of them is verified. */
export type RequestCredentials = {
  /** The value of `X-Auth`. */
  readonly header: string | undefined
  /** The values of all cookies named `auth`, in the order in which they were sent. */
  readonly cookies: readonly string[]
  /** The value of `?auth=`: a token, or a ticket for `target`. Undefined when the endpoint does not accept `?auth=`. */
  readonly query: string | undefined
  /** The kind and the path that a ticket must match. The kind is the first word of the route's name in the singular. */
  readonly target: { readonly kind: string; readonly path: Path }
  /** `once` invalidates a ticket with this request; `repeated` leaves it valid for further requests. */
  readonly use: 'once' | 'repeated'
  /**
   * True when the cookie is accepted (contract 2.2): for GET, HEAD and socket handshakes, and for logging out from our
   * own origin.
   */
  readonly acceptsCookie: boolean
  /** Returns a header by its lower-case name if the connection comes from a trusted proxy, otherwise undefined. */
  readonly proxyHeader: (name: string) => string | undefined
}

/** The caller of an authenticated request. */
export type AuthenticatedCaller = {
  readonly caller: Caller
  /** True when the response requests that the client renews its token (contract 2.3). */
  readonly shouldRenew: boolean
}

/** The authentication functions that the HTTP layer requires from the rest of the server. */
export type Authenticator = {
  /**
   * Finds the session that belongs to the credentials, and creates its caller. Returns null when there is no valid
   * session. Returns synchronously when the session is cached. `cause` is recorded with each change that the request
   * makes.
   */
  readonly recognise: (
    credentials: RequestCredentials,
    cause: RequestIdentity['cause'],
  ) => AuthenticatedCaller | null | Promise<AuthenticatedCaller | null>
  /** Registers a watcher that is notified of each session that ends, so that the session's transfers are aborted. */
  readonly watchSessions: (watcher: SessionWatcher) => void
  /**
   * Calls the listener when the session ends, so that the session's sockets are closed. Returns a function that removes
   * the listener.
   */
  readonly onSessionEnd: (sessionId: string, listener: () => void) => () => void
}
