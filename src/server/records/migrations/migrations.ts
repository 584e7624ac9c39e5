import { firstTables } from './first-tables.ts'
import type { Migration } from './migration.ts'
import { quotas } from './quotas.ts'
import { shareTable } from './share-table.ts'
import { uploads } from './uploads.ts'

/** In order, for ever: the version of a database is how many of them it has had. */
export const migrations: readonly Migration[] = [firstTables, uploads, shareTable, quotas]
