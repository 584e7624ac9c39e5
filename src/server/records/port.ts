import type { Permissions, Rule } from '../../shared/domain/access.ts'
import type { Sorting } from '../../shared/domain/sorting.ts'
import type { ViewMode } from '../../shared/contract/users.ts'

export type User = {
  readonly id: number
  readonly username: string
  /** As stored: `$argon2id$…`, or a taken-over `$2a$`, `$2b$`, `$2y$`. */
  readonly passwordHash: string
  /** As written; interpreted and confined when used (contract 1.8). */
  readonly scope: string
  readonly locale: string
  readonly lockPassword: boolean
  readonly viewMode: ViewMode
  readonly singleClick: boolean
  readonly redirectAfterCopyMove: boolean
  readonly perm: Permissions
  readonly commands: readonly string[]
  readonly sorting: Sorting
  readonly rules: readonly Rule[]
  readonly hideDotfiles: boolean
  readonly dateFormat: boolean
  readonly aceEditorTheme: string
  readonly isDisabled: boolean
  /** When a person last changed it; null when nobody has. Logging in and re-hashing are no changes. */
  readonly changedAtMs: number | null
}

export type UserFields = Omit<User, 'id' | 'changedAtMs'>

/** People. Unique violations are `name-taken`; an unknown id is `not-found`. */
export type Users = {
  find(id: number): Promise<User | null>
  findByName(username: string): Promise<User | null>
  list(): Promise<readonly User[]>
  add(fields: UserFields): Promise<User>
  /** All or nothing; stamps `changedAtMs`. Refuses (`forbidden`) to leave no enabled administrator. */
  update(id: number, fields: Partial<UserFields>): Promise<User>
  /** A stronger hash of the same password: no change of the user. */
  rehash(id: number, passwordHash: string): Promise<void>
  remove(id: number): Promise<void>
}

export type Session = {
  readonly id: string
  readonly userId: number
  readonly createdAtMs: number
  readonly seenAtMs: number
  readonly idleUntilMs: number
  readonly endsAtMs: number
  readonly agent: string
  readonly address: string
}

/** Sessions: found by digests, never by what a client holds. Ended ones are not found. */
export type Sessions = {
  /** Ends the least recently used one beyond the limit of a user. */
  add(session: Session & { readonly jtiDigest: string; readonly cookieDigest: string }): Promise<void>
  findByJti(jtiDigest: string): Promise<Session | null>
  findByCookie(cookieDigest: string): Promise<Session | null>
  listOf(userId: number): Promise<readonly Session[]>
  /** Written at most once a minute. */
  touch(id: string, until: { readonly seenAtMs: number; readonly idleUntilMs: number }): Promise<void>
  end(id: string): Promise<void>
  /** All of a user's, but for one if named. Gives the ids that ended. */
  endAllOf(userId: number, but?: string): Promise<readonly string[]>
}
