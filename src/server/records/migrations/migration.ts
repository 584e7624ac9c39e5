import type { ColumnTypes } from '../dialect.ts'
import type { Database } from '../tables.ts'

/** One step forward, on every database alike; there is no way back but the copy that is made before. */
export type Migration = {
  readonly name: string
  readonly up: (database: Database, types: ColumnTypes) => Promise<void>
}
