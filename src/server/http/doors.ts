import type { Path } from '../../shared/domain/path.ts'
import type { Asker } from '../access/door.ts'
import type { Caller } from '../access/caller.ts'

/** The raw credentials of a request, before anything is believed. */
export type Credentials = {
  /** `X-Auth`. */
  readonly header: string | undefined
  /** All values of cookies named `auth`, in order. */
  readonly cookies: readonly string[]
  /** `?auth=`, only where the endpoint takes it: a token, or a ticket for this place. */
  readonly query: string | undefined
  /** What is asked for: the first word of the call's name, and the path. */
  readonly place: { readonly kind: string; readonly path: Path }
  /** Whether a ticket is used up by it. */
  readonly use: 'once' | 'repeated'
  /** Whether the cookie counts for this request (contract 2.2: GET, HEAD, own socket handshakes, log out from our own origin). */
  readonly cookieCounts: boolean
  /** A header as a trusted proxy sent it, by its lower-case name; undefined from everybody else. */
  readonly ofProxy: (name: string) => string | undefined
}

export type Recognised = {
  readonly caller: Caller
  /** Whether the answer asks the client to renew its token (contract 2.3). */
  readonly shouldRenew: boolean
}

/** Who is told of the ends of sessions. */
export type SessionWatcher = {
  /** The sessions under which something runs now. */
  readonly running: () => Iterable<string>
  readonly ended: (sessionIds: ReadonlySet<string>) => void
}

/** What `http` needs of the rest of the server to know who asks. */
export type Doors = {
  /** Null when no living session is behind the credentials; at once where that is known. The changes of the request carry the cause. */
  readonly recognise: (
    credentials: Credentials,
    cause: Asker['cause'],
  ) => Recognised | null | Promise<Recognised | null>
  /** Tells the watcher of each session that ends: transfers end with their session. */
  readonly watchSessions: (watcher: SessionWatcher) => void
  /** Runs the listener when the session ends; gives back how to stop listening. Sockets end with their session. */
  readonly onSessionEnd: (sessionId: string, listener: () => void) => () => void
}
