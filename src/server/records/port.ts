import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { AuditDetail } from '../../shared/contract/audit.ts'
import type { ShareMode } from '../../shared/contract/shares.ts'
import type { UserFieldValues } from '../../shared/contract/user-fields.ts'
import type { AuditAction, AuditActor } from '../../shared/domain/audit-actions.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'
import type { MountedDisk } from '../../shared/domain/mounted-disk.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { TakeoverReport } from '../../shared/domain/takeover/takeover-report.ts'
import type { Outbox } from './outbox.ts'
import type { ScopeUsageStore } from './scope-usage-record.ts'

/** A stored user: the fields that `userFields` declares, and the id, name, password hash and status of the account. */
export type User = UserFieldValues & {
  readonly id: number
  readonly username: string
  /**
   * The hash of the password. It begins with `$argon2id$`, or with `$2a$`, `$2b$` or `$2y$` (bcrypt) for a user that
   * was imported from File Browser.
   */
  readonly passwordHash: string
  readonly isDisabled: boolean
  /**
   * The time of the last change of the user's fields; null when the user was never changed. A login and a new hash of
   * the same password do not count as changes. Each change has a later time than the change before it.
   */
  readonly changedAtMs: number | null
}

/** A user as far as requests need to know: without the hash of the password. */
export type Account = Omit<User, 'passwordHash'>

export type UserFields = Omit<User, 'id' | 'changedAtMs'>

/** A list of users to import, and the way in which stored users with the same ids are handled. */
export type UserImportRequest = {
  /** A user with the id 0 gets a new id. */
  readonly users: readonly (UserFields & { readonly id: number })[]
  /**
   * What happens when a stored user has the id of an imported user: the import is refused, or the stored user is
   * overwritten. `replace-all` also removes the stored users that are not in the list.
   */
  readonly onExistingId: 'refuse' | 'overwrite' | 'replace-all'
  /** The highest id that a user of the imported system ever had. New users get ids above it. */
  readonly lastId?: number
}

/**
 * The store of users. Except for `rehash`, the functions that write throw `name-taken` when another user has the same
 * name or a name that differs only in case, `bad-request` for a name or field that cannot be stored, and `not-found`
 * for an unknown id.
 */
export type UserStore = {
  find(id: number): Promise<User | null>
  /** Finds the user with exactly this name. The comparison is case-sensitive. */
  findByName(username: string): Promise<User | null>
  /** True when a user has this name, or a name that differs from it only in case or in the composition of letters. */
  hasSimilarName(username: string): Promise<boolean>
  list(): Promise<readonly User[]>
  add(fields: UserFields): Promise<User>
  /**
   * Imports users in one transaction. Unlike with `add`, the names of two users may differ only in case. A new user
   * keeps the given id when no user ever had this id. Throws `name-taken` when an id exists and `onExistingId` is
   * `refuse`, or when another user has the same name. Throws `forbidden` when no enabled administrator would be left.
   */
  importAll(request: UserImportRequest): Promise<readonly User[]>
  /**
   * Changes the given fields in one transaction, and sets `changedAtMs`. Throws `forbidden` when no enabled
   * administrator would be left.
   */
  update(id: number, fields: Partial<UserFields>): Promise<User>
  /**
   * Works like `update` with fields that `change` computes from the stored user. No other call can change a user
   * between the read and the write.
   */
  updateBy(
    id: number,
    change: (before: User) => Partial<UserFields> | Promise<Partial<UserFields>>,
  ): Promise<User>
  /** Returns any stored password hash that begins with the prefix; null when no hash does. */
  findHashWithPrefix(prefix: string): Promise<string | null>
  /**
   * Stores a stronger hash of the same password, unless the password has changed since. `changedAtMs` stays unchanged.
   */
  rehash(id: number, change: { readonly from: string; readonly to: string }): Promise<void>
  /** Removes a user. Throws `forbidden` when no enabled administrator would be left. */
  remove(id: number): Promise<void>
}

export type SessionRecord = {
  /** The public id, which the list of sessions displays. It is not a credential. */
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
 * The store of sessions. A session is found by the digest of its token's `jti` or of its cookie, because the secrets
 * themselves are not stored. Ended sessions are not found.
 */
export type SessionStore = {
  /**
   * Stores a session. Ends the user's least recently used sessions beyond the limit, and returns their ids. Throws
   * `login-failed` when the user has been removed.
   */
  add(
    session: SessionRecord & { readonly cookieDigest: string; readonly token: SessionToken },
  ): Promise<readonly string[]>
  /**
   * Stores a session as `add` does, unless a session was stored for its token before, whether or not that session has
   * ended, and unless all sessions of the user were ended once, as a new password does. Returns the ids of the sessions that were ended by it.
   */
  addOnce(
    session: SessionRecord & { readonly cookieDigest: string; readonly token: SessionToken },
  ): Promise<readonly string[]>
  /**
   * Adds a token to a session. Throws `too-many-tries` when the session already has the maximum number of tokens, and
   * `not-signed-in` when the session does not exist.
   */
  addToken(sessionId: string, token: SessionToken): Promise<void>
  findByJti(jtiDigest: string): Promise<SessionRecord | null>
  /** Works like `findByJti`, but also finds a session that was idle for too long. */
  findUnendedByJti(jtiDigest: string): Promise<SessionRecord | null>
  findByCookie(cookieDigest: string): Promise<SessionRecord | null>
  listOf(userId: number): Promise<readonly SessionRecord[]>
  /** Returns the number of sessions that have not ended. */
  count(): Promise<number>
  /**
   * Returns the given ids whose sessions were not ended and have not reached their absolute end. Sessions that were
   * idle for too long are included.
   */
  unended(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Returns the given ids whose sessions were not ended, have not reached their absolute end, and were not idle for too
   * long.
   */
  active(ids: readonly string[]): Promise<ReadonlySet<string>>
  touch(id: string, until: { readonly seenAtMs: number; readonly idleUntilMs: number }): Promise<void>
  end(id: string): Promise<void>
  /**
   * Ends all sessions of a user except `exceptId`. Sessions that were idle for too long are also ended, because a long
   * operation may still run in them. Returns the ids of the ended sessions.
   */
  endAllOf(userId: number, exceptId?: string): Promise<readonly string[]>
}

/**
 * The stored parameters of the login methods: the captcha, the name of the proxy's header, and the login program. They
 * include secrets, so no response contains all of them.
 */
export type LoginMethodSettings = {
  readonly recaptcha: { readonly host: string; readonly key: string; readonly secret: string } | null
  readonly header: string
  readonly command: string
}

/**
 * The options of the server that `config init` and `config set` have stored: the value of each option as a string, by
 * the option's name.
 */
export type StoredServingOptions = Readonly<Record<string, string>>

/** The facts about the takeover of a database of File Browser, in the database that was made from it. */
export type TakeoverRecord = {
  readonly atMs: number
  /** The path of File Browser's database. Empty when it is not known. */
  readonly from: string
  /** SHA-256 (base64url) of the signing key in File Browser's database. It identifies the installation whose state a database contains. */
  readonly keyDigest: string
  /**
   * True while tokens that File Browser issued before the takeover are accepted. A restored database does not accept
   * them, because some of them may have been ended after the backup was made.
   */
  readonly acceptsOldTokens: boolean
  readonly report: TakeoverReport
}

/**
 * The store of settings. Each setting has a separate row, so that two administrators who change different settings do
 * not undo each other's changes. A setting that was never stored has its default value.
 */
export type SettingsStore = {
  get(): Promise<Settings>
  /** Replaces the values of the given settings in one transaction. Values are not merged with the former values. */
  change(changes: Partial<Settings>): Promise<void>
  /**
   * Works like `change`, with values that `change` computes from the stored settings. No other call can change a
   * setting between the read and the write. Returns the settings after the change.
   */
  changeBy(change: (before: Settings) => Partial<Settings> | Promise<Partial<Settings>>): Promise<Settings>
  /** Returns the key (64 bytes) that signs tokens; null before the first start. */
  key(): Promise<Uint8Array | null>
  /** Stores the key that signs tokens. Throws `name-taken` when the database already has a key. */
  setKey(key: Uint8Array): Promise<void>
  signIn(): Promise<LoginMethodSettings>
  setSignIn(signIn: LoginMethodSettings): Promise<void>
  server(): Promise<StoredServingOptions>
  setServer(options: StoredServingOptions): Promise<void>
  /** Returns the record of the takeover; null for a database that was not made from one of File Browser. */
  takeover(): Promise<TakeoverRecord | null>
  setTakeover(takeover: TakeoverRecord): Promise<void>
}

/** A change of the times that are counted for one key. */
export type CountChange = {
  readonly key: string
  /** Times up to this one no longer count; null when all stored times stay. */
  readonly resetAtMs: number | null
  /** The times that are added. */
  readonly atMs: readonly number[]
  /** The time for which a time counts, in milliseconds. */
  readonly windowMs: number
  /** The number of times that are stored, which are the latest ones. */
  readonly maxTimes: number
}

/**
 * The store of the times at which something happened that is limited, such as failed logins from a client address. All
 * servers of the state count together, and a restart does not reset the limits.
 */
export type ThrottleStore = {
  /** Returns the stored times of a key in ascending order, including times of the future when a clock was ahead. */
  timesOf(key: string): Promise<readonly number[]>
  /** Makes all changes in one transaction. Stored times of the changed keys that lie in the future become the present. */
  count(changes: readonly CountChange[]): Promise<void>
}

/** A ticket: a text that authorises requests for one target under a session. Its text and its target are stored as digests. */
export type TicketRecord = {
  readonly digest: string
  readonly userId: number
  readonly sessionId: string
  readonly targetDigest: string
  readonly untilMs: number
}

/** The store of tickets. All servers of the state accept each ticket. */
export type TicketStore = {
  /**
   * Stores a ticket. Throws `too-many-tries` when its session, its user or all users together already have as many tickets as
   * the limits allow.
   */
  add(ticket: TicketRecord): Promise<void>
  /** Finds a ticket, which may have expired. */
  find(digest: string): Promise<TicketRecord | null>
  /** Removes a ticket. Of several concurrent calls, only one returns true. */
  take(digest: string): Promise<boolean>
}

/**
 * An upload whose file arrives in several requests. It is identified by its user and path, so two users who upload to
 * the same path have separate uploads.
 */
export type UploadRecord = {
  readonly userId: number
  /** The path, relative to the user's scope. */
  readonly path: Path
  /** The unique name that the storage gave to the upload. */
  readonly token: string
  readonly sizeBytes: number
  readonly overwrite: 'create' | 'upsert'
  /**
   * True when the uploaded file is complete and has its final name. The row is kept for a while, because a client that
   * did not receive the last response requests the state of the upload.
   */
  readonly isDone: boolean
  /**
   * The time of the last change. A finished upload's file has this time or `modifiedMs` as its modification time, which
   * shows that the upload is done even when `isDone` could not be stored.
   */
  readonly touchedAtMs: number
  /** The modification time that the client wants to keep, in ms since 1970. Null when the client sent none. */
  readonly modifiedMs: number | null
}

export type UploadStore = {
  find(key: Pick<UploadRecord, 'userId' | 'path'>): Promise<UploadRecord | null>
  /**
   * Stores an upload. Returns the upload of the same user and path that it replaces; null when no upload was replaced.
   * Of several concurrent calls, only one returns the same replaced upload. Throws `too-many-tries` when the user has too
   * many unfinished uploads.
   */
  put(upload: UploadRecord): Promise<UploadRecord | null>
  touch(token: string, change: { readonly atMs: number; readonly isDone: boolean }): Promise<void>
  remove(tokens: readonly string[]): Promise<void>
  list(): Promise<readonly UploadRecord[]>
  /**
   * Returns a batch of uploads that were not changed since the given times: one time for open uploads, and one for
   * finished uploads.
   */
  listStale(before: {
    readonly openBeforeMs: number
    readonly doneBeforeMs: number
  }): Promise<readonly UploadRecord[]>
}

/** A public link to one entry. */
export type ShareRecord = {
  /** The id in the share's URL: 22 characters, or 8 for shares that were imported from File Browser. */
  readonly hash: string
  /** The owner. The share is removed with its owner. */
  readonly userId: number
  /**
   * The path of the entry, relative to the root of the volume, since the owner's scope may change. No component of the
   * path is a symbolic link (T27).
   */
  readonly path: Path
  /**
   * The kind of the entry when it was shared. When the path later leads to an entry of another kind, that entry is not
   * shared.
   */
  readonly kind: 'file' | 'folder'
  readonly passwordHash: string | null
  /** SHA-256 (base64url) of the token of a share that was imported from File Browser; null for all other shares. */
  readonly tokenDigest: string | null
  /**
   * The time at which the share expires, in whole seconds since 1970, as in the API; null for a share that never
   * expires.
   */
  readonly expiresAtSeconds: number | null
  /**
   * The time from which guests can open the share, in whole seconds since 1970; null for a share that is available
   * immediately.
   */
  readonly availableFromSeconds: number | null
  readonly mode: ShareMode
  /** The number of files that an upload-only share accepts in total; null when its owner has set no limit. */
  readonly maxFiles: number | null
  /** The number of bytes that an upload-only share accepts in total; null when its owner has set no limit. */
  readonly maxBytes: number | null
  readonly createdAtMs: number
  /**
   * The mounted disk that contains the entry. While it is missing, the share waits for it (decision 125). Null when the
   * entry is on the system's own disk, and until the server has looked up the disk.
   */
  readonly disk: MountedDisk | null
}

/** The encoded path of one or more shares, and the disk that their entry lies on. */
export type SharedPlace = { readonly path: string; readonly disk: MountedDisk | null }

/** The last share of a page of places. */
export type SharedPlaceCursor = { readonly path: string; readonly digest: string }

/** Some of the places of shares. `next` leads to the next page, and is null after the last one. */
export type SharedPlacePage = {
  readonly places: readonly SharedPlace[]
  readonly next: SharedPlaceCursor | null
}

/** The new values of a share's fields. Absent fields stay as they are. */
export type ShareChanges = Partial<
  Pick<
    ShareRecord,
    | 'passwordHash'
    | 'tokenDigest'
    | 'expiresAtSeconds'
    | 'availableFromSeconds'
    | 'mode'
    | 'maxFiles'
    | 'maxBytes'
  >
>

/** The store of shares. Expired shares are never returned, even before they are purged. */
/** The owner and the path of shares to read. Undefined selects those of all owners or paths. */
export type ShareFilter = { readonly userId?: number | undefined; readonly path?: Path | undefined }

export type ShareStore = {
  /** Stores a share. Throws `not-found` when the owner has been removed, and `no-space` when the owner has too many shares. */
  add(share: ShareRecord): Promise<void>
  /** Stores shares in one transaction. Throws `not-found` when an owner has been removed, and stores none then. */
  addAll(shares: readonly ShareRecord[]): Promise<void>
  find(hash: string): Promise<ShareRecord | null>
  /** Lists shares by owner and then by expiry, permanent shares first. */
  list(only?: ShareFilter): Promise<readonly ShareRecord[]>
  /**
   * Returns the digests of the shares that `list` returns, in the same order. They take much less memory than the shares, whose
   * paths may be long.
   */
  digests(only?: ShareFilter): Promise<readonly string[]>
  /** Returns the shares with some digests, in the order of the digests. Shares that have ended meanwhile are left out. */
  listOf(digests: readonly string[]): Promise<readonly ShareRecord[]>
  /** Changes a share and returns it as it is now, or null when there is no share with this hash. */
  update(hash: string, changes: ShareChanges): Promise<ShareRecord | null>
  remove(hash: string): Promise<void>
  /**
   * Updates shares after an entry was moved. Shares of the entry and of entries below it get their new paths. Shares of
   * entries that were below `to` are removed. Shares of `to` itself are kept when the entry at `to` was overwritten
   * (`isNew` is false). Shares on a disk in `waiting` stay as they are.
   */
  followMove(move: {
    readonly from: Path
    readonly to: Path
    readonly isNew: boolean
    readonly waiting?: readonly MountedDisk[]
  }): Promise<void>
  /** True when there is a share of an entry or of an entry below it. The share may have expired. */
  hasWithin(path: Path): Promise<boolean>
  /**
   * Returns a page of the places of the shares of an entry and of entries below it in the order of their paths, including expired
   * shares. A place is returned once for each of its shares. `after` is the `next` of the page before, and null for the
   * first page.
   */
  sharedPlaces(within: Path, after: SharedPlaceCursor | null): Promise<SharedPlacePage>
  /** Replaces the path and the disk of the shares at a place. No entry was moved on the disk. */
  correctPlace(from: SharedPlace, to: Pick<ShareRecord, 'path' | 'disk'>): Promise<void>
  /** Removes the shares of an entry that no longer exists, and of entries below it, except those on a disk in `waiting`. */
  endWithin(path: Path, waiting?: readonly MountedDisk[]): Promise<void>
  /** True when there are expired shares to delete. */
  hasExpired(): Promise<boolean>
  /** Deletes expired shares. */
  purge(): Promise<void>
}

/** A file that a guest begins to send to an upload-only share. */
export type ReceptionRequest = {
  /** A new random id. */
  readonly id: string
  readonly shareHash: string
  /** The id that the guest's client gave to the upload, by which a repeated upload is recognised. Empty for none. */
  readonly uploadId: string
  /** The name and the note that the guest has typed. Either may be empty. */
  readonly guest: string
  readonly note: string
  readonly sizeBytes: number
}

/**
 * The result of reserving a place for a file. `already-received`: an upload with this id has arrived before. `ended`: the
 * share no longer exists or is not upload-only.
 */
export type ReservationResult = 'reserved' | 'replaced' | 'too-many-files' | 'too-many-bytes' | 'ended'

/** The result of beginning to receive a file of a guest. */
export type BeginReceptionResult =
  | 'begun'
  | 'already-received'
  | Exclude<ReservationResult, 'reserved' | 'replaced'>

/** A file that a guest has sent to a share. */
export type ReceivedFile = {
  /** The name under which the file was stored. The owner may have renamed the file since. */
  readonly name: string
  readonly guest: string
  readonly note: string
  readonly sizeBytes: number
  readonly receivedAtMs: number
}

export type ReceivedTotals = { readonly files: number; readonly bytes: number }

/** The store of the files that guests send to upload-only shares. The rows of a share are removed with it. */
export type ReceivedFileStore = {
  /**
   * Begins to receive a file, unless it would exceed a limit of the share together with the files that have arrived. The
   * file does not count yet. It replaces an earlier attempt of the same upload, whose connection may be lost without
   * notice.
   */
  begin(request: ReceptionRequest): Promise<BeginReceptionResult>
  /** Keeps a file that is being received from counting as abandoned. Returns false when it was replaced or ended. */
  renew(id: string): Promise<boolean>
  /**
   * Reserves a place for a file whose bytes are all there, unless it would exceed a limit of the share together with the
   * files that have arrived or have a place. The place counts until the lease ends, so that a server that crashes gives it
   * back. Returns `replaced` when a later attempt of the upload has begun.
   */
  reserve(request: ReceptionRequest, leaseUntilMs: number): Promise<ReservationResult>
  /** Records that the file has arrived under this name, also when a later attempt of the upload has taken its place. */
  complete(request: ReceptionRequest, name: string): Promise<void>
  /** Ends the reception of a file that did not arrive, and gives its place back. */
  release(id: string): Promise<void>
  /** Returns the received files of a share, the latest first, and at most this number. */
  list(shareHash: string, maxFiles: number): Promise<readonly ReceivedFile[]>
  totals(shareHash: string): Promise<ReceivedTotals>
}

/** An event of the audit log. */
export type AuditEvent = {
  readonly atMs: number
  readonly action: AuditAction
  readonly outcome: 'ok' | ErrorCode
  readonly actor: AuditActor
  /** Null unless the actor is a user. */
  readonly userId: number | null
  /** The name of the user when the event happened; empty for other actors. */
  readonly username: string
  /** The public id of the session, or the hash of the share of a guest; empty without either. */
  readonly session: string
  /** The address of the client; empty for events of the server itself. */
  readonly address: string
  /** A path in the volume, or the name of a user; empty when the action has no object. */
  readonly target: string
  readonly destination: string
  readonly details: Readonly<Record<string, AuditDetail>>
}

/** Conditions on events. An event has to meet all conditions that are given. */
export type AuditFilter = {
  readonly fromMs?: number
  readonly toMs?: number
  readonly username?: string
  readonly actions?: readonly AuditAction[]
  /** The path of an entry. Events of entries below it are included. */
  readonly path?: Path
  /** A part of the user name, the address, the session, the target or the destination. ASCII letters match in both cases. */
  readonly text?: string
  readonly outcome?: 'failed' | AuditEvent['outcome']
}

/** The part of the events that `find` searches. */
export type AuditRange = {
  /** Only events with smaller ids are returned; null for the newest events. */
  readonly beforeId: number | null
  readonly maxEvents: number
}

/** The store of the audit log. */
export type AuditStore = {
  /** Stores events in one transaction. They need not survive a power cut. */
  add(events: readonly AuditEvent[]): Promise<void>
  /**
   * Finds events, the newest first, and scans a limited number of rows. `next` is the value of `beforeId` with which the
   * search continues, also when no event was found; null when no older event can match.
   */
  find(
    filter: AuditFilter,
    range: AuditRange,
  ): Promise<{
    readonly events: readonly (AuditEvent & { readonly id: number })[]
    readonly next: number | null
  }>
  /** Deletes a limited number of events from before the given time. Returns true when there may be more. */
  removeBefore(atMs: number): Promise<boolean>
}

/** The initial records of a new installation. */
export type InitialRecords = {
  /** The first administrator, who is stored only when there are no users yet. */
  readonly user: UserFields
  readonly settings: Partial<Settings>
  readonly server: StoredServingOptions
  readonly key: Uint8Array
}

/** Users and shares that are added to an installation together. */
export type AccountImportRequest = {
  readonly users: readonly UserFields[]
  /** Shares of these users or of stored users, who are given by their names. */
  readonly shares: readonly (Omit<ShareRecord, 'userId'> & { readonly owner: string })[]
  /** The key that signs tokens, for a database that has none. */
  readonly key: Uint8Array
}

/** The operations that are available only for a database file. */
export type DatabaseFileOperations = {
  /**
   * Writes a consistent copy of the whole database, also while other processes have the database open. Only the owner
   * can read the copy. An existing file is replaced.
   */
  copyTo(file: string): Promise<void>
  /** Reads and checks the whole database. Throws `corrupt` when it is damaged. */
  check(): Promise<void>
}

/** The stores of an installation, each of which has tables of its own. */
export type RecordStores = {
  readonly users: UserStore
  readonly shares: ShareStore
  readonly receivedFiles: ReceivedFileStore
  readonly sessions: SessionStore
  readonly settings: SettingsStore
  readonly throttles: ThrottleStore
  readonly tickets: TicketStore
  readonly scopeUsages: ScopeUsageStore
  readonly uploads: UploadStore
  readonly audit: AuditStore
}

/** The functions that change several stores in one transaction. */
export type InstallationWrites = {
  /**
   * Stores the initial records in one transaction, unless the installation already has a key. Only one of several
   * concurrent calls stores them. Returns true when the user was stored.
   */
  setUp(initial: InitialRecords): Promise<boolean>
  /**
   * Adds users and shares in one transaction, and returns the added users. Nothing that is stored is changed. Throws
   * `name-taken` when a user has one of the names, and `not-found` when an owner does not exist.
   */
  addAccounts(request: AccountImportRequest): Promise<readonly User[]>
}

/**
 * The stored state of an installation. Several processes may have it open concurrently. While the database server
 * cannot be reached, every call throws `unavailable`.
 */
export type ServerRecords = RecordStores &
  InstallationWrites & {
    /** Resolves when the database responds. Throws `unavailable` otherwise. */
    ping(): Promise<void>
    /**
     * Returns a number that changes with every commit of any process. Null for a PostgreSQL database, which does not
     * provide one.
     */
    readonly version: (() => number) | null
    /** Null for a database file, whose servers run on one machine and reach each other directly. */
    readonly outbox: Outbox | null
    /** Null for records on a database server, which has its own tools for backups. */
    readonly fileOperations: DatabaseFileOperations | null
    close(): Promise<void>
  }
