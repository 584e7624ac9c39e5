import type { User } from '../../records/port.ts'

/** What somebody hands over to log in; empty where nothing was given. */
export type Attempt = {
  readonly username: string
  readonly password: string
  /** The answer to the challenge. */
  readonly challenge: string
  readonly client: {
    readonly address: string
    /** Whether the connection itself comes from a trusted proxy. */
    readonly isProxy: boolean
  }
  /** A header of the request, by its lower-case name. */
  readonly header: (name: string) => string | undefined
}

/** A way to know who asks: whoever it is, `login-failed` when it is nobody, `too-many-tries` after too many of those. */
export type Method = (attempt: Attempt) => Promise<User>
