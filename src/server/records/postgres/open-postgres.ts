import { Kysely } from 'kysely'
import { migrate } from '../sql/migrate.ts'
import { awaitOtherServers } from '../sql/other-servers.ts'
import type { OpenDatabase, DatabaseOptions } from '../database-options.ts'
import type { DatabaseTables } from '../sql/tables.ts'
import { areServersSeen, createOutbox } from './outbox.ts'
import {
  migrationLimits,
  postgresDialect,
  servingLimits,
  type PostgresConnectionLimits,
} from './postgres-dialect.ts'

/**
 * Opens a database on a PostgreSQL server. Its tables are in the first schema of the search path. No copy is made
 * before a migration, because a failed migration is rolled back and PostgreSQL has its own tools for backups.
 */
export async function openPostgres(options: DatabaseOptions): Promise<OpenDatabase> {
  const migrationDatabase = connect(options.database, migrationLimits)
  try {
    await migrate(migrationDatabase, {
      ...options,
      awaitOthers: (isNeeded) =>
        awaitOtherServers({
          wait: options.migrationWait,
          otherServersRun: () => areServersSeen(migrationDatabase),
          isNeeded,
        }),
      keepCopy: async () => {},
    })
  } finally {
    await migrationDatabase.destroy()
  }
  const database = connect(options.database, servingLimits)
  return { database, outbox: createOutbox(database, options.database), fileOperations: null }
}

/** Creates the database object, which connects to the server before its first query. */
const connect = (url: string, limits: PostgresConnectionLimits): Kysely<DatabaseTables> =>
  new Kysely<DatabaseTables>({ dialect: postgresDialect(url, limits) })
