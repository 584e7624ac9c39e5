import type { Migration } from './migrations/migration.ts'
import type { Records } from './port.ts'
import type { Database } from './tables.ts'

/** A database that is to be opened. */
export type Opening = {
  /** The absolute path of a file, or the address of a PostgreSQL database. */
  readonly database: string
  readonly nowMs: () => number
  /** Whether a missing or empty database becomes a new one; `not-found` otherwise. */
  readonly ifMissing: 'make' | 'refuse'
  readonly migrations: readonly Migration[]
}

/** A database with the tables that this version knows. */
export type Opened = { readonly database: Database; readonly asFile: Records['asFile'] }
