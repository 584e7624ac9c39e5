import { Kysely } from 'kysely'
import { migrate } from '../sql/migrate.ts'
import type { OpenDatabase, DatabaseOptions } from '../database-options.ts'
import type { Tables } from '../sql/tables.ts'
import { migrationLimits, postgresDialect, servingLimits, type PostgresLimits } from './postgres-dialect.ts'

/**
 * Opens a database on a PostgreSQL server. Its tables are in the first schema of the search path. No copy is made
 * before a migration: a migration that fails changes nothing, and the server has its own tools for backups.
 */
export async function openPostgres(options: DatabaseOptions): Promise<OpenDatabase> {
  const migrating = connect(options.database, migrationLimits)
  try {
    await migrate(migrating, { ...options, keepCopy: async () => {} })
  } finally {
    await migrating.destroy()
  }
  return { database: connect(options.database, servingLimits), asFile: null }
}

/** Creates the database object, which connects to the server when the first query runs. */
const connect = (address: string, patience: PostgresLimits): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: postgresDialect(address, patience) })
