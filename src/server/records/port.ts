import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { UserFieldValues } from '../../shared/contract/user-fields.ts'
import type { Path } from '../../shared/domain/path.ts'

/** A stored user: the fields of the table `userFields`, and the id, name, password hash and status of the account. */
export type User = UserFieldValues & {
  readonly id: number
  readonly username: string
  /**
   * The hash of the password. It begins with `$argon2id$`, or with `$2a$`, `$2b$` or `$2y$` (bcrypt) for a user that
   * was imported from the original.
   */
  readonly passwordHash: string
  readonly isDisabled: boolean
  /**
   * The time of the last change of the user's fields; null when the user was never changed. A login and a new hash of
   * the same password do not count as changes.
   */
  readonly changedAtMs: number | null
}

export type UserFields = Omit<User, 'id' | 'changedAtMs'>

/** A list of users to import, and the way to handle stored users. */
export type UserImportRequest = {
  /** A user with the id 0 gets a new id. */
  readonly users: readonly (UserFields & { readonly id: number })[]
  /**
   * What happens when a stored user has the id of an imported user: the import is refused, or the stored user is
   * overwritten. `replace-all` also removes the stored users that are not in the list.
   */
  readonly onExistingId: 'refuse' | 'overwrite' | 'replace-all'
}

/**
 * The store of users. Except for `rehash`, the functions that write throw `name-taken` when another user has the same
 * name or a name that differs only in case, `bad-request` for a name or field that cannot be stored, and `not-found`
 * for an unknown id.
 */
export type Users = {
  find(id: number): Promise<User | null>
  /** Finds the user with exactly this name, including its case. */
  findByName(username: string): Promise<User | null>
  list(): Promise<readonly User[]>
  add(fields: UserFields): Promise<User>
  /**
   * Imports users in one transaction. Unlike with `add`, names may differ only in case. A new user keeps the given id
   * when no user ever had it. Throws `name-taken` when an id exists and `onExistingId` is `refuse`, or when another
   * user has the same name. Throws `forbidden` when no enabled administrator would be left.
   */
  importAll(request: UserImportRequest): Promise<readonly User[]>
  /**
   * Changes the given fields in one transaction, and sets `changedAtMs`. Throws `forbidden` when no enabled
   * administrator would be left.
   */
  update(id: number, fields: Partial<UserFields>): Promise<User>
  /**
   * Works like `update` with fields that are computed from the stored user. No user is changed by another call between
   * the read and the write.
   */
  updateBy(id: number, change: (before: User) => Partial<UserFields>): Promise<User>
  /** Returns any stored password hash that begins with the prefix; null when there is none. */
  findHashWithPrefix(mark: string): Promise<string | null>
  /**
   * Stores a stronger hash of the same password, unless the password has changed since. `changedAtMs` stays unchanged.
   */
  rehash(id: number, change: { readonly from: string; readonly to: string }): Promise<void>
  /** Removes a user. Throws `forbidden` when no enabled administrator would be left. */
  remove(id: number): Promise<void>
}

export type Session = {
  /** The public id, which the list of sessions shows. It is not a credential. */
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
 * The store of sessions. Sessions are found by the digest of a client's secret, since the secret itself is not stored.
 * Ended sessions are not found.
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
   * Adds a token to a session. Throws `too-many-tries` when the session has too many tokens, and `not-signed-in` when
   * the session does not exist.
   */
  addToken(sessionId: string, token: SessionToken): Promise<void>
  findByJti(jtiDigest: string): Promise<Session | null>
  /** Works like `findByJti`, and also finds a session that was idle for too long. */
  findUnendedByJti(jtiDigest: string): Promise<Session | null>
  findByCookie(cookieDigest: string): Promise<Session | null>
  listOf(userId: number): Promise<readonly Session[]>
  /**
   * Returns those of the given ids whose sessions were not ended and have not reached their absolute end. Sessions that
   * were idle for too long are included.
   */
  unended(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Returns those of the given ids whose sessions were not ended, have not reached their absolute end and were not idle
   * for too long.
   */
  living(ids: readonly string[]): Promise<ReadonlySet<string>>
  touch(id: string, until: { readonly seenAtMs: number; readonly idleUntilMs: number }): Promise<void>
  end(id: string): Promise<void>
  /**
   * Ends all sessions of a user except `exceptId`. Idle sessions are ended as well, since an operation may still run in
   * them. Returns the ids of the ended sessions.
   */
  endAllOf(userId: number, exceptId?: string): Promise<readonly string[]>
}

/**
 * The stored parameters of the login methods: the captcha, the header and the program. They include secrets, so a
 * response never contains all of them.
 */
export type LoginMethodSettings = {
  readonly recaptcha: { readonly host: string; readonly key: string; readonly secret: string } | null
  readonly header: string
  readonly command: string
}

/**
 * The stored options of serving: the text of each option by the option's name, as `config init` and `config set` store
 * it.
 */
export type StoredServingOptions = Readonly<Record<string, string>>

/**
 * The store of settings. Each key has a row of its own, so that two administrators who change different keys do not
 * undo each other's changes. A key that was never stored has its default value.
 */
export type SettingsStore = {
  get(): Promise<Settings>
  /** Replaces the values of the given keys in one transaction. Each value is replaced as a whole. */
  change(changes: Partial<Settings>): Promise<void>
  /**
   * Works like `change` with values that are computed from the stored settings. No setting is changed by another call
   * between the read and the write. Returns the settings after the change.
   */
  changeBy(change: (before: Settings) => Partial<Settings>): Promise<Settings>
  /** Returns the key (64 bytes) that signs tokens; null before the first run. */
  key(): Promise<Uint8Array | null>
  /** Stores the key that signs tokens. Throws `name-taken` when the database already has a key. */
  setKey(key: Uint8Array): Promise<void>
  signIn(): Promise<LoginMethodSettings>
  setSignIn(signIn: LoginMethodSettings): Promise<void>
  server(): Promise<StoredServingOptions>
  setServer(record: StoredServingOptions): Promise<void>
}

/**
 * The number of failures, such as failed logins, that are counted under one key. It is stored so that a restart does
 * not reset the limit on attempts.
 */
export type ThrottleRow = { readonly key: string; readonly fails: number; readonly untilMs: number }

export type ThrottleStore = {
  /** Returns the rows that have not expired. */
  load(): Promise<readonly ThrottleRow[]>
  /** Replaces rows by key. A row with 0 `fails` is removed. */
  save(rows: readonly ThrottleRow[]): Promise<void>
}

/**
 * An upload in parts. It is identified by its user and path, so two users who upload to the same path have separate
 * uploads.
 */
export type Upload = {
  readonly userId: number
  /** The path inside the user's scope. */
  readonly path: Path
  /** The unique name that the storage gave to the upload. */
  readonly token: string
  readonly sizeBytes: number
  readonly overwrite: 'create' | 'upsert'
  /**
   * True when the uploaded file is complete and has its final name. The row is kept for a while, for a client that did
   * not receive the response.
   */
  readonly isDone: boolean
  /**
   * The time of the last change. A finished upload's file has this time as its modification time, which shows that the
   * upload is done even when `isDone` could not be stored.
   */
  readonly touchedAtMs: number
}

export type Uploads = {
  find(at: Pick<Upload, 'userId' | 'path'>): Promise<Upload | null>
  /**
   * Stores an upload. Returns the former upload of the same user and path, which it replaces. Only one of several
   * concurrent calls returns the same former upload.
   */
  put(upload: Upload): Promise<Upload | null>
  touch(token: string, change: { readonly atMs: number; readonly isDone: boolean }): Promise<void>
  remove(tokens: readonly string[]): Promise<void>
  list(): Promise<readonly Upload[]>
  /**
   * Returns a batch of the uploads that were not changed since the given times, which differ for open and finished
   * uploads.
   */
  listStale(untouched: {
    readonly openBeforeMs: number
    readonly doneBeforeMs: number
  }): Promise<readonly Upload[]>
}

/** A public link to one entry. */
export type Share = {
  /** The id in the share's address: 22 characters, or 8 in shares that were imported from the original. */
  readonly hash: string
  /** The owner. The share is removed with its owner. */
  readonly userId: number
  /**
   * The path of the entry, relative to the root of the volume, since the owner's scope may change. No component of the
   * path is a symbolic link (T27).
   */
  readonly path: Path
  /** The kind of the entry when it was shared. An entry of another kind at the same path is not the shared entry. */
  readonly kind: 'file' | 'folder'
  readonly passwordHash: string | null
  /** SHA-256 (base64url) of the token of a share that was imported from the original; null in all other shares. */
  readonly tokenDigest: string | null
  /** Whole seconds since 1970, as in the API; null for a share that never expires. */
  readonly expiresAtSeconds: number | null
  /**
   * Whole seconds since 1970. Before this time, guests cannot open the share. Null for a share that is available
   * immediately.
   */
  readonly availableFromSeconds: number | null
  readonly createdAtMs: number
}

/** The store of shares. Expired shares are never returned, even before they are purged. */
export type Shares = {
  /** Stores a share. Throws `not-found` when the owner has been removed. */
  add(share: Share): Promise<void>
  find(hash: string): Promise<Share | null>
  /** Lists shares by owner and then by expiry, permanent shares first. */
  list(only?: { readonly userId?: number; readonly path?: Path }): Promise<readonly Share[]>
  remove(hash: string): Promise<void>
  /**
   * Updates shares after an entry was moved. Shares of the entry and of entries below it get their new paths. Shares
   * below `to` end. A share of `to` itself stays when the entry there was overwritten (`isNew` is false).
   */
  followMove(move: { readonly from: Path; readonly to: Path; readonly isNew: boolean }): Promise<void>
  /** Returns the encoded paths of all shares, including expired ones. */
  sharedPaths(): Promise<readonly string[]>
  /** Replaces the path of shares with another path of the same entry, when no entry was moved on the disk. */
  correctPath(from: Path, to: Path): Promise<void>
  /** Ends the shares of an entry that no longer exists, and of entries below it. */
  endWithin(path: Path): Promise<void>
  /** Deletes expired shares. */
  purge(): Promise<void>
}

/** The initial records of a new installation. */
export type InitialRecords = {
  /** An administrator, who is stored only when there are no users yet. */
  readonly user: UserFields
  readonly settings: Partial<Settings>
  readonly server: StoredServingOptions
  readonly key: Uint8Array
}

/** The operations that are available only when the records are in a file. */
export type DatabaseFileOperations = {
  /**
   * Writes a consistent copy of the whole database, which other processes may have open. Only the owner can read the
   * copy. An existing file is replaced.
   */
  copyTo(file: string): Promise<void>
  /** Reads the whole database once. Throws `corrupt` when it is damaged. */
  check(): Promise<void>
}

/**
 * The stored state of an installation. Several processes may have it open concurrently. While the database server
 * cannot be reached, every call throws `unavailable`.
 */
export type Records = {
  readonly users: Users
  readonly shares: Shares
  readonly sessions: Sessions
  readonly settings: SettingsStore
  readonly throttles: ThrottleStore
  readonly uploads: Uploads
  /**
   * Stores the initial records in one transaction, unless the installation already has a key. Only one of several
   * concurrent calls stores them. Returns true when the user was stored.
   */
  setUp(first: InitialRecords): Promise<boolean>
  /** Resolves when the database answers. Throws `unavailable` otherwise. */
  ping(): Promise<void>
  /**
   * Returns a number that changes with every commit of any process. Null for a PostgreSQL database, which has no such
   * number.
   */
  readonly version: (() => number) | null
  /** Null for records on a database server, which has its own tools for backups. */
  readonly asFile: DatabaseFileOperations | null
  close(): Promise<void>
}
