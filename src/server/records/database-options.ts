import type { Migration } from './migrations/migration.ts'
import type { CheckpointThreads } from './file/checkpointer.ts'
import type { WriterThreads } from './file/store-writer.ts'
import type { ServerRecords } from './port.ts'
import type { Database } from './sql/tables.ts'

/** The functions with which a server waits before it migrates a database that other servers use. */
export type MigrationWait = {
  /** Writes the line that says that the server waits. */
  readonly log: (line: string) => void
  /** Returns true while other servers of a database file run. A database on PostgreSQL knows its servers itself. */
  readonly otherServersRun: (file: string) => Promise<boolean>
}

/** Options for opening a database. */
export type DatabaseOptions = {
  /** The absolute path of an SQLite file, or the URL of a PostgreSQL database. */
  readonly database: string
  readonly nowMs: () => number
  /** `make` creates a missing or empty database; `refuse` throws `not-found` instead. */
  readonly ifMissing: 'make' | 'refuse'
  readonly migrations: readonly Migration[]
  /** Makes a migration wait until no other server uses the database. A command of the command line does not wait. */
  readonly migrationWait?: MigrationWait | undefined
  /** The functions with which a server looks after its database file while it runs. A command of the command line ends too soon to do so. */
  readonly upkeep?: DatabaseUpkeep
  /** The total size of the events in the audit log in bytes, for tests. */
  readonly auditBytes?: number
  /**
   * The number of rows of inactive sessions, of unfinished uploads and of finished uploads that one user may have, for tests. A
   * thousand of each by default.
   */
  readonly rowsPerUser?: number
}

export type DatabaseUpkeep = {
  /** Writes one line to the log of the server. */
  readonly log: (line: string) => void
  /** The threads of the database. The records start their own ones unless a test provides them. */
  readonly threads?: DatabaseThreads | undefined
  /**
   * The time in milliseconds for which a change waits while another process keeps the database locked; 30 s unless a test
   * needs less.
   */
  readonly lockWaitMs?: number
}

/** The threads of a database file: one that changes it, and one that copies the log into it. */
export type DatabaseThreads = { readonly writes: WriterThreads; readonly checkpoints: CheckpointThreads }

/** An open database whose tables have been migrated to the newest version. */
export type OpenDatabase = {
  readonly database: Database
  readonly outbox: ServerRecords['outbox']
  readonly fileOperations: ServerRecords['fileOperations']
}
