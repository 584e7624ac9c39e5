import type { ColumnTypes } from '../sql/dialect.ts'
import type { Database } from '../sql/tables.ts'

/**
 * A migration, which runs on SQLite and on PostgreSQL. It cannot be undone; the way back is to restore a copy from
 * before the migration.
 */
export type Migration = {
  readonly name: string
  readonly up: (database: Database, types: ColumnTypes) => Promise<void>
}
