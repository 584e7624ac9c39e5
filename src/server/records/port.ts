import type { Path } from '../../shared/domain/path.ts'
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
  /** What the files within the scope may hold together, in bytes; null for any. */
  readonly quotaBytes: number | null
  readonly isDisabled: boolean
  /** When a person last changed it; null when nobody has. Logging in and re-hashing are no changes. */
  readonly changedAtMs: number | null
}

export type UserFields = Omit<User, 'id' | 'changedAtMs'>

/** A list of users from elsewhere. */
export type UserImport = {
  /** Under an id of 0 nobody is known. */
  readonly users: readonly (UserFields & { readonly id: number })[]
  /** What becomes of those who have such an id already; `replace-all` removes who is not in the list. */
  readonly onKnown: 'refuse' | 'overwrite' | 'replace-all'
}

/**
 * People. A name that is taken, or differs from another's in case alone, is `name-taken`; a name or field that cannot be stored is
 * `bad-request`; an unknown id is `not-found`.
 */
export type Users = {
  find(id: number): Promise<User | null>
  /** Exactly as written. */
  findByName(username: string): Promise<User | null>
  list(): Promise<readonly User[]>
  add(fields: UserFields): Promise<User>
  /**
   * All or nothing, names that differ in case alone included. Ids are kept where nobody ever had them. `name-taken` when an id is
   * known and must not be, or a name is another's; `forbidden` when it would leave no enabled administrator.
   */
  importAll(wish: UserImport): Promise<readonly User[]>
  /** All or nothing; stamps `changedAtMs`. Refuses (`forbidden`) to leave no enabled administrator. */
  update(id: number, fields: Partial<UserFields>): Promise<User>
  /** As `update`, where what is to come follows from what is there: nobody else changes anybody between. */
  updateBy(id: number, change: (before: User) => Partial<UserFields>): Promise<User>
  /** The hash of somebody's password that begins so; null where there is none. */
  hashBeginning(mark: string): Promise<string | null>
  /** A stronger hash of the same password: no change of the user, and nothing when the password was changed meanwhile. */
  rehash(id: number, change: { readonly from: string; readonly to: string }): Promise<void>
  /** Refuses (`forbidden`) to leave no enabled administrator. */
  remove(id: number): Promise<void>
}

export type Session = {
  /** What the list of sessions shows; no credential. */
  readonly id: string
  readonly userId: number
  readonly createdAtMs: number
  readonly seenAtMs: number
  readonly idleUntilMs: number
  readonly endsAtMs: number
  readonly agent: string
  readonly address: string
}

/** The digest of a token's id, and until when the token is good. */
export type SessionToken = { readonly jtiDigest: string; readonly expiresAtMs: number }

/** Sessions: found by digests, never by what a client holds. Ended ones are not found. */
export type Sessions = {
  /** Ends the least recently used ones beyond the limit of a user, and gives their ids. `login-failed` for who is removed. */
  add(
    session: Session & { readonly cookieDigest: string; readonly token: SessionToken },
  ): Promise<readonly string[]>
  /** One more token of the same session. `too-many-tries` when it has more than anybody needs, `not-signed-in` when it is gone. */
  addToken(sessionId: string, token: SessionToken): Promise<void>
  findByJti(jtiDigest: string): Promise<Session | null>
  /** As `findByJti`, but having been left alone for too long does not count. */
  findUnendedByJti(jtiDigest: string): Promise<Session | null>
  findByCookie(cookieDigest: string): Promise<Session | null>
  listOf(userId: number): Promise<readonly Session[]>
  /** Those of the given ids that neither were ended nor are past their absolute end; being idle does not count. */
  unended(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Those of them that were not left alone for too long either. */
  living(ids: readonly string[]): Promise<ReadonlySet<string>>
  touch(id: string, until: { readonly seenAtMs: number; readonly idleUntilMs: number }): Promise<void>
  end(id: string): Promise<void>
  /** All of a user's, but for one if named; those that were left alone for too long, too: something may run under them still. */
  endAllOf(userId: number, but?: string): Promise<readonly string[]>
}

/** What new users get where nothing else is said (contract 11). */
export type UserDefaults = Pick<
  User,
  | 'scope'
  | 'locale'
  | 'viewMode'
  | 'singleClick'
  | 'redirectAfterCopyMove'
  | 'sorting'
  | 'perm'
  | 'commands'
  | 'hideDotfiles'
  | 'dateFormat'
  | 'aceEditorTheme'
  | 'quotaBytes'
>

export type Branding = {
  readonly name: string
  readonly disableExternal: boolean
  readonly disableUsedPercentage: boolean
  /** The folder with the installation's own images and style; empty for none. */
  readonly files: string
  readonly theme: '' | 'light' | 'dark'
  readonly color: string
  readonly reportIssueURL: string
}

/** The four ways to know who asks (contract 2.7). */
export const authMethods = ['json', 'noauth', 'proxy', 'hook'] as const
export type AuthMethod = (typeof authMethods)[number]

/** What administrators decide (contract 11); the secrets beside it are in {@link SignIn} and the key. */
export type Settings = {
  readonly signup: boolean
  readonly hideLoginButton: boolean
  readonly createUserDir: boolean
  readonly userHomeBasePath: string
  readonly minimumPasswordLength: number
  readonly defaults: UserDefaults
  readonly rules: readonly Rule[]
  readonly branding: Branding
  readonly shell: readonly string[]
  /** Lines by event (`before_upload`); foreign events are kept. */
  readonly commands: Readonly<Record<string, readonly string[]>>
  readonly tus: { readonly chunkSize: number; readonly retryCount: number }
  readonly trash: boolean
  /** Cannot be changed over the API. */
  readonly authMethod: AuthMethod
  readonly logoutPage: string
}

/** How people prove who they are; holds secrets, so no answer ever carries it whole. */
export type SignIn = {
  readonly recaptcha: { readonly host: string; readonly key: string; readonly secret: string } | null
  readonly header: string
  readonly command: string
}

/** Values of command line options as they were written, by the option's name; stored by `config init` and `config set`. */
export type ServerRecord = Readonly<Record<string, string>>

/** One row a key, so that two administrators do not undo each other. What was never stored has its default. */
export type SettingsStore = {
  get(): Promise<Settings>
  /** Each key that is given is replaced as a whole; all or nothing. */
  change(changes: Partial<Settings>): Promise<void>
  /** As `change`, where what is to come follows from what is there: nobody else changes anything between. Gives what is stored then. */
  changeBy(change: (before: Settings) => Partial<Settings>): Promise<Settings>
  /** What tokens are signed with: 64 bytes. Null before the first run. */
  key(): Promise<Uint8Array | null>
  /** Stores the key of a first run; `name-taken` where one is already. */
  setKey(key: Uint8Array): Promise<void>
  signIn(): Promise<SignIn>
  setSignIn(signIn: SignIn): Promise<void>
  server(): Promise<ServerRecord>
  setServer(record: ServerRecord): Promise<void>
}

/** Failed logins and the like under a key, kept coarsely so that a restart does not begin a brute force anew. */
export type ThrottleRow = { readonly key: string; readonly fails: number; readonly untilMs: number }

export type Throttles = {
  /** Those that are not over. */
  load(): Promise<readonly ThrottleRow[]>
  /** Replaces rows by key; `fails` of 0 removes one. */
  save(rows: readonly ThrottleRow[]): Promise<void>
}

/** An upload in parts. It belongs to a user and a path: two people who upload to one place have one each. */
export type Upload = {
  readonly userId: number
  /** Inside the user's scope. */
  readonly path: Path
  /** The storage's name for it; no two have the same. */
  readonly token: string
  readonly sizeBytes: number
  readonly overwrite: 'create' | 'upsert'
  /** In place: kept for a while, for a client that has not heard of it. */
  readonly isDone: boolean
  /** Since the last byte came, also the time that the file has once it is in place: it tells so where `isDone` could not be noted. */
  readonly touchedAtMs: number
}

export type Uploads = {
  find(at: Pick<Upload, 'userId' | 'path'>): Promise<Upload | null>
  /** Takes the place of another upload of the same user to the same path, and gives that one: nobody else is given it. */
  put(upload: Upload): Promise<Upload | null>
  touch(token: string, change: { readonly atMs: number; readonly isDone: boolean }): Promise<void>
  remove(tokens: readonly string[]): Promise<void>
  list(): Promise<readonly Upload[]>
  /** Some of those that nobody has touched since. */
  listOld(untouched: {
    readonly openBeforeMs: number
    readonly doneBeforeMs: number
  }): Promise<readonly Upload[]>
}

/** A public link to one entry. */
export type Share = {
  /** What stands in its address: 22 characters, 8 in taken-over ones. */
  readonly hash: string
  /** Its owner; the share goes with them. */
  readonly userId: number
  /** Where the entry is, from the top of the volume (the owner's scope may change) and with no link on the way (T27). */
  readonly path: Path
  /** What the entry was when it was shared: another kind at its path is another entry. */
  readonly kind: 'file' | 'folder'
  readonly passwordHash: string | null
  /** SHA-256 (base64url) of a taken-over token; null in all others. */
  readonly tokenDigest: string | null
  /** Whole seconds since 1970, as on the wire; null for never. */
  readonly expiresAtSeconds: number | null
  /** Before that nobody finds it; null for at once. */
  readonly availableFromSeconds: number | null
  readonly createdAtMs: number
}

/** Public links. Those that are over are never given, whether or not they were purged. */
export type Shares = {
  /** `not-found` when its owner is gone. */
  add(share: Share): Promise<void>
  find(hash: string): Promise<Share | null>
  /** By owner, then expiry, the permanent ones first. */
  list(only?: { readonly userId?: number; readonly path?: Path }): Promise<readonly Share[]>
  remove(hash: string): Promise<void>
  /**
   * An entry was moved: shares of it and of what lies below go along. What was shared below `to` is no more; what was shared at
   * `to` itself stays when it was overwritten.
   */
  follow(move: { readonly from: Path; readonly to: Path; readonly isNew: boolean }): Promise<void>
  /** The encoded paths of all of them, of those that are over, too. */
  places(): Promise<readonly string[]>
  /** Says of all that are said to be at one path that they are at another: nothing was moved, it is the same place. */
  correct(from: Path, to: Path): Promise<void>
  /** The entry at the path is gone: ends shares of it and of what lay below. */
  endWithin(path: Path): Promise<void>
  /** Forgets those that are over. */
  purge(): Promise<void>
}

/** What an installation begins with. */
export type FirstState = {
  /** An administrator; not stored where there are people already. */
  readonly user: UserFields
  readonly settings: Partial<Settings>
  readonly server: ServerRecord
  readonly key: Uint8Array
}

/** What only a state in a file can. */
export type StateFile = {
  /** A consistent copy of the whole state, for its owner alone, while others may have it open. Replaces what lies there. */
  copyTo(file: string): Promise<void>
  /** Reads everything once; `corrupt` when something is wrong with it. */
  check(): Promise<void>
}

/**
 * The state of an installation, which several processes may have open at once. Where it lies on a server that is not to be reached,
 * every call is `unavailable` until it is there again.
 */
export type Records = {
  readonly users: Users
  readonly shares: Shares
  readonly sessions: Sessions
  readonly settings: SettingsStore
  readonly throttles: Throttles
  readonly uploads: Uploads
  /**
   * Gives an installation without a key its first state, all or nothing; of several at once one does it. Whether the user was
   * stored.
   */
  setUp(first: FirstState): Promise<boolean>
  /** Whether the database answers: `unavailable` when it does not. */
  ping(): Promise<void>
  /** A number that is another one after every commit, whoever made it; null where the database does not tell. */
  readonly version: (() => number) | null
  /** Null where it is no file: a server's own tools copy it. */
  readonly asFile: StateFile | null
  close(): Promise<void>
}
