import type { User } from '../../records/port.ts'

/** The credentials of one login; a text is empty when the client sent none. */
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
}

/**
 * A way to identify the user behind a login. Throws `login-failed` when there is none, and `too-many-tries` after too
 * many failures.
 */
export type LoginMethod = (attempt: LoginAttempt) => Promise<User>
