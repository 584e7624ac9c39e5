import type { Migration } from './migrations/migration.ts'
import type { Records } from './port.ts'
import type { Database } from './sql/tables.ts'

/** Says which database to open, and how. */
export type DatabaseOptions = {
  /** The absolute path of a file, or the address of a PostgreSQL database. */
  readonly database: string
  readonly nowMs: () => number
  /** Decides what happens to a missing or empty database: it is created, or `not-found` is thrown. */
  readonly ifMissing: 'make' | 'refuse'
  readonly migrations: readonly Migration[]
}

/** An open database that has the tables of this version. */
export type OpenDatabase = { readonly database: Database; readonly asFile: Records['asFile'] }
