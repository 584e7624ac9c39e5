import type { ColumnTypes } from '../sql/dialect.ts'
import type { Database } from '../sql/tables.ts'

/**
 * One migration, which is the same on both databases. It cannot be undone: only the copy that is made before it leads
 * back.
 */
export type Migration = {
  readonly name: string
  readonly up: (database: Database, types: ColumnTypes) => Promise<void>
}
