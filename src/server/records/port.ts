import type { User, UserFields, UserStore } from './user-store.ts'
import type { SessionStore } from './session-store.ts'
import type { SettingsStore, StoredServingOptions } from './settings.ts'
import type { ThrottleStore } from './throttles.ts'
import type { TicketStore } from './tickets.ts'
import type { UploadStore } from './uploads.ts'
import type { ShareRecord, ShareStore } from './share-store.ts'
import type { ShareUseStore } from './shares/share-uses.ts'
import type { ReceivedFileStore } from './received-files.ts'
import type { AuditStore } from './audit-store.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { Outbox } from './outbox.ts'
import type { ScopeUsageStore } from './scope-usage-record.ts'

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
  readonly shareUses: ShareUseStore
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
