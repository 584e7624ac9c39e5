import type { User } from '../../records/user-store.ts'

/** The credentials of one login. Texts that the client did not send are empty. */
export type LoginAttempt = {
  readonly username: string
  readonly password: string
  /** The client's answer to the challenge. */
  readonly challenge: string
  readonly client: {
    readonly address: string
    /** True when the connection itself comes from a trusted proxy. */
    readonly isProxy: boolean
  }
  /** Returns a header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** Returns each value of a header by its lower-case name. */
  readonly headerValues: (name: string) => readonly string[]
  /** The port at which the connection arrived. Null for a connection with TLS or through the unix socket. */
  readonly plainPort: number | null
}

/**
 * Identifies the user who logs in. Throws `login-failed` when no user matches, and `too-many-tries` after too many
 * failures.
 */
export type LoginMethod = (attempt: LoginAttempt) => Promise<User>
