import type { RequestIdentity } from '../access/caller-factory.ts'
import type { Caller } from '../access/caller.ts'
import type { SessionCredentials } from '../auth/recognise-session.ts'
import type { SessionWatcher } from '../auth/session-ends.ts'

/** The credentials of a request, and the headers that a trusted proxy added to it. */
export type RequestCredentials = SessionCredentials & {
  /** Returns each value of a header by its lower-case name if the connection comes from a trusted proxy, otherwise none. */
  readonly proxyHeaderValues: (name: string) => readonly string[]
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
