import type { Migration } from './migrations/migration.ts'
import type { Records } from './port.ts'
import type { Database } from './sql/tables.ts'

/** Options for opening a database. */
export type DatabaseOptions = {
  /** The absolute path of a file, or the address of a PostgreSQL database. */
  readonly database: string
  readonly nowMs: () => number
  /** `make` creates a missing or empty database; `refuse` throws `not-found` instead. */
  readonly ifMissing: 'make' | 'refuse'
  readonly migrations: readonly Migration[]
}

/** An open database whose tables are migrated to this version. */
export type OpenDatabase = { readonly database: Database; readonly asFile: Records['asFile'] }
