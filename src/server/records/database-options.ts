import type { Migration } from './migrations/migration.ts'
import type { CheckpointThreads } from './file/checkpointer.ts'
import type { ServerRecords } from './port.ts'
import type { Database } from './sql/tables.ts'

/** Options for opening a database. */
export type DatabaseOptions = {
  /** The absolute path of an SQLite file, or the URL of a PostgreSQL database. */
  readonly database: string
  readonly nowMs: () => number
  /** `make` creates a missing or empty database; `refuse` throws `not-found` instead. */
  readonly ifMissing: 'make' | 'refuse'
  readonly migrations: readonly Migration[]
  /** The functions with which a server looks after its database file while it runs. A command of the command line ends too soon to do so. */
  readonly upkeep?: DatabaseUpkeep
}

export type DatabaseUpkeep = {
  /** Writes one line to the log of the server. */
  readonly log: (line: string) => void
  /** The thread of checkpoints. The records start their own one unless a test provides it. */
  readonly threads?: CheckpointThreads | undefined
}

/** An open database whose tables have been migrated to the newest version. */
export type OpenDatabase = {
  readonly database: Database
  readonly fileOperations: ServerRecords['fileOperations']
}
