import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { UserFieldValues } from '../../shared/contract/user-fields.ts'
import type { Path } from '../../shared/domain/path.ts'

/** A user as stored: the fields of the table `userFields`, and what identifies and protects the account. */
export type User = UserFieldValues & {
  readonly id: number
  readonly username: string
  /**
   * The hash of the password: `$argon2id$…`, or `$2a$`, `$2b$` or `$2y$` where the user was taken over from the
   * original.
   */
  readonly passwordHash: string
  readonly isDisabled: boolean
  /**
   * The time of the last change by a person; null when nobody has changed the user yet. A login and a new hash of the
   * same password are no changes.
   */
  readonly changedAtMs: number | null
}

export type UserFields = Omit<User, 'id' | 'changedAtMs'>

/** A list of users to import. */
export type UserImport = {
  /** A user with the id 0 gets a new id. */
  readonly users: readonly (UserFields & { readonly id: number })[]
  /**
   * Decides what happens to stored users with such an id. `replace-all` also removes the users that are not in the
   * list.
   */
  readonly onExistingId: 'refuse' | 'overwrite' | 'replace-all'
}

/**
 * The stored users. A name that another user has, or that differs from it only in case, is `name-taken`. A name or
 * field that cannot be stored is `bad-request`. An unknown id is `not-found`.
 */
export type Users = {
  find(id: number): Promise<User | null>
  /** Finds a user by the name, which is compared exactly. */
  findByName(username: string): Promise<User | null>
  list(): Promise<readonly User[]>
  add(fields: UserFields): Promise<User>
  /**
   * Imports all users or none, also users whose names differ only in case. An id is kept when no user ever had it.
   * Throws `name-taken` when an id exists although it must not, or when another user has a name; throws `forbidden`
   * when no enabled administrator would be left.
   */
  importAll(request: UserImport): Promise<readonly User[]>
  /**
   * Changes all given fields or none, and sets `changedAtMs`. Throws `forbidden` when no enabled administrator would be
   * left.
   */
  update(id: number, fields: Partial<UserFields>): Promise<User>
  /**
   * Works like `update` with fields that are computed from the stored user. No other change of a user happens in
   * between.
   */
  updateBy(id: number, change: (before: User) => Partial<UserFields>): Promise<User>
  /** Returns a stored password hash that begins with the prefix; null when there is none. */
  findHashWithPrefix(mark: string): Promise<string | null>
  /**
   * Stores a stronger hash of the same password. It does not count as a change, and does nothing when the password has
   * changed.
   */
  rehash(id: number, change: { readonly from: string; readonly to: string }): Promise<void>
  /** Removes a user. Throws `forbidden` when no enabled administrator would be left. */
  remove(id: number): Promise<void>
}

export type Session = {
  /** The public id, which the list of sessions shows. It is no credential. */
  readonly id: string
  readonly userId: number
  readonly createdAtMs: number
  readonly seenAtMs: number
  readonly idleUntilMs: number
  readonly endsAtMs: number
  readonly agent: string
  readonly address: string
}

/** The digest of a token's `jti`, and the time at which the token expires. */
export type SessionToken = { readonly jtiDigest: string; readonly expiresAtMs: number }

/**
 * The stored sessions. They are found by digests, never by the secret that a client holds. Ended sessions are not
 * found.
 */
export type Sessions = {
  /**
   * Stores a session. Ends the user's least recently used sessions beyond the limit, and returns their ids. Throws
   * `login-failed` when the user has been removed.
   */
  add(
    session: Session & { readonly cookieDigest: string; readonly token: SessionToken },
  ): Promise<readonly string[]>
  /**
   * Adds a token to a session. Throws `too-many-tries` when the session has too many tokens, `not-signed-in` when it is
   * gone.
   */
  addToken(sessionId: string, token: SessionToken): Promise<void>
  findByJti(jtiDigest: string): Promise<Session | null>
  /** Works like `findByJti`, but also finds a session that was idle for too long. */
  findUnendedByJti(jtiDigest: string): Promise<Session | null>
  findByCookie(cookieDigest: string): Promise<Session | null>
  listOf(userId: number): Promise<readonly Session[]>
  /**
   * Returns the given ids whose sessions were not ended and have not reached their absolute end; idle sessions are
   * included.
   */
  unended(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Returns the given ids whose sessions were not ended, have not reached their absolute end and are not idle for too
   * long.
   */
  living(ids: readonly string[]): Promise<ReadonlySet<string>>
  touch(id: string, until: { readonly seenAtMs: number; readonly idleUntilMs: number }): Promise<void>
  end(id: string): Promise<void>
  /**
   * Ends all sessions of a user, except one if it is given. Idle sessions are ended as well, since something may still
   * run in them. Returns the ids of the ended sessions.
   */
  endAllOf(userId: number, exceptId?: string): Promise<readonly string[]>
}

/** How people prove who they are. It holds secrets, so no answer ever carries the whole of it. */
export type SignIn = {
  readonly recaptcha: { readonly host: string; readonly key: string; readonly secret: string } | null
  readonly header: string
  readonly command: string
}

/** Texts of command line options by the name of the option, as `config init` and `config set` store them. */
export type ServerRecord = Readonly<Record<string, string>>

/**
 * The stored settings, one row for each key, so that two administrators do not undo each other's changes. A key that
 * was never stored has its default.
 */
export type SettingsStore = {
  get(): Promise<Settings>
  /** Replaces each given key as a whole; all of them or none. */
  change(changes: Partial<Settings>): Promise<void>
  /**
   * Works like `change` with values that are computed from the stored settings. No other change of the settings happens
   * in between. Returns the settings that are stored afterwards.
   */
  changeBy(change: (before: Settings) => Partial<Settings>): Promise<Settings>
  /** Returns the key that signs tokens, which has 64 bytes. Null before the first run. */
  key(): Promise<Uint8Array | null>
  /** Stores the key of a first run. Throws `name-taken` when there is a key already. */
  setKey(key: Uint8Array): Promise<void>
  signIn(): Promise<SignIn>
  setSignIn(signIn: SignIn): Promise<void>
  server(): Promise<ServerRecord>
  setServer(record: ServerRecord): Promise<void>
}

/**
 * The number of failures under a key, such as failed logins. It is stored so that a restart does not allow another
 * brute-force attack.
 */
export type ThrottleRow = { readonly key: string; readonly fails: number; readonly untilMs: number }

export type Throttles = {
  /** Returns the rows that have not expired. */
  load(): Promise<readonly ThrottleRow[]>
  /** Replaces rows by key. A row with 0 `fails` is removed. */
  save(rows: readonly ThrottleRow[]): Promise<void>
}

/**
 * An upload in parts. It belongs to one user and one path, so two users who upload to the same path have two uploads.
 */
export type Upload = {
  readonly userId: number
  /** The path inside the user's scope. */
  readonly path: Path
  /** The unique name that the storage gave to the upload. */
  readonly token: string
  readonly sizeBytes: number
  readonly overwrite: 'create' | 'upsert'
  /** True when the file is in its place. The row is kept for a while, for a client that missed the answer. */
  readonly isDone: boolean
  /**
   * The time of the last change. Once the last byte has come, the file in its place has this modification time, which
   * shows that the upload is done even when `isDone` could not be stored.
   */
  readonly touchedAtMs: number
}

export type Uploads = {
  find(at: Pick<Upload, 'userId' | 'path'>): Promise<Upload | null>
  /**
   * Stores an upload. Returns the upload that it replaces (same user, same path); no other caller gets the same one.
   */
  put(upload: Upload): Promise<Upload | null>
  touch(token: string, change: { readonly atMs: number; readonly isDone: boolean }): Promise<void>
  remove(tokens: readonly string[]): Promise<void>
  list(): Promise<readonly Upload[]>
  /** Returns some of the uploads that were not touched since the given times. */
  listStale(untouched: {
    readonly openBeforeMs: number
    readonly doneBeforeMs: number
  }): Promise<readonly Upload[]>
}

/** A public link to one entry. */
export type Share = {
  /** The id in the share's address: 22 characters, or 8 in shares that were taken over from the original. */
  readonly hash: string
  /** The owner. The share is removed with its owner. */
  readonly userId: number
  /**
   * The path of the entry from the root of the volume, since the owner's scope may change. No link is on the way (T27).
   */
  readonly path: Path
  /** The kind of the entry when it was shared. An entry of another kind at the path is another entry. */
  readonly kind: 'file' | 'folder'
  readonly passwordHash: string | null
  /** SHA-256 (base64url) of the token of a share that was taken over from the original; null in all others. */
  readonly tokenDigest: string | null
  /** Whole seconds since 1970, as on the wire; null for a share that never expires. */
  readonly expiresAtSeconds: number | null
  /**
   * Whole seconds since 1970. Guests do not find the share before that time. Null for a share that is available at
   * once.
   */
  readonly availableFromSeconds: number | null
  readonly createdAtMs: number
}

/** The stored shares. Expired shares are never returned, whether or not they were purged. */
export type Shares = {
  /** Stores a share. Throws `not-found` when the owner has been removed. */
  add(share: Share): Promise<void>
  find(hash: string): Promise<Share | null>
  /** Lists shares by owner and then by expiry, permanent shares first. */
  list(only?: { readonly userId?: number; readonly path?: Path }): Promise<readonly Share[]>
  remove(hash: string): Promise<void>
  /**
   * Updates shares after an entry was moved: shares of the entry and of entries below it follow. Shares below `to` end.
   * A share at `to` itself stays when its entry was overwritten (`isNew` is false).
   */
  followMove(move: { readonly from: Path; readonly to: Path; readonly isNew: boolean }): Promise<void>
  /** Returns the encoded paths of all shares, including expired ones. */
  sharedPaths(): Promise<readonly string[]>
  /** Replaces the path of shares by another path of the same entry. Nothing was moved on the disk. */
  correctPath(from: Path, to: Path): Promise<void>
  /** Ends the shares of an entry that is gone, and of entries below it. */
  endWithin(path: Path): Promise<void>
  /** Deletes expired shares. */
  purge(): Promise<void>
}

/** The first state of an installation. */
export type FirstState = {
  /** An administrator, who is stored only when there are no users yet. */
  readonly user: UserFields
  readonly settings: Partial<Settings>
  readonly server: ServerRecord
  readonly key: Uint8Array
}

/** The operations that only a state in a file has. */
export type StateFile = {
  /**
   * Writes a consistent copy of the whole state, readable for its owner alone, while other processes may have it open.
   * An existing file is replaced.
   */
  copyTo(file: string): Promise<void>
  /** Reads the whole database once. Throws `corrupt` when it is damaged. */
  check(): Promise<void>
}

/**
 * The state of an installation, which several processes may have open at once. While the database server cannot be
 * reached, every call throws `unavailable`.
 */
export type Records = {
  readonly users: Users
  readonly shares: Shares
  readonly sessions: Sessions
  readonly settings: SettingsStore
  readonly throttles: Throttles
  readonly uploads: Uploads
  /**
   * Stores the first state of an installation that has no key: all of it or nothing. Of several concurrent calls one
   * does it. Returns true when the user was stored.
   */
  setUp(first: FirstState): Promise<boolean>
  /** Resolves when the database answers. Throws `unavailable` otherwise. */
  ping(): Promise<void>
  /** Returns a number that changes with every commit of any process; null where the database cannot tell. */
  readonly version: (() => number) | null
  /** Null for a state on a database server, which the server's own tools copy. */
  readonly asFile: StateFile | null
  close(): Promise<void>
}
