import type { ColumnTypes } from '../sql/dialect.ts'
import type { Database } from '../sql/tables.ts'

/**
 * A migration, which runs on SQLite and on PostgreSQL. It cannot be undone, except by restoring a backup from before
 * the migration. It must leave the previous version working, because a server of that version may still run on the database
 * when a new one is started beside it (decision 142).
 */
export type Migration = {
  /** Tells a database that has the migration from one that lacks it. It is unique and never changes. */
  readonly name: string
  readonly up: (database: Database, types: ColumnTypes) => Promise<void>
}
