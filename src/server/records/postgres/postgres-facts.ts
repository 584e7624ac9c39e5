import { Kysely } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import type { DatabaseFacts } from '../file/database-facts.ts'
import { isKnownMigration } from '../migrations/migrations.ts'
import type { StoredServingOptions } from '../settings.ts'
import { tableNames } from '../sql/dialect.ts'
import type { Database, DatabaseTables } from '../sql/tables.ts'
import { postgresDialect, servingLimits } from './postgres-dialect.ts'

/** Checks a database on a PostgreSQL server. Nothing is changed, also where the next start would migrate the database. */
export async function postgresFacts(url: string): Promise<DatabaseFacts> {
  try {
    const database = new Kysely<DatabaseTables>({
      dialect: postgresDialect(url, { ...servingLimits, maxConnections: 1 }),
    })
    try {
      return await factsOf(database)
    } finally {
      await database.destroy()
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { kind: 'unreadable', reason: thrown.reason ?? thrown.code, options: {} }
  }
}

async function factsOf(database: Database): Promise<DatabaseFacts> {
  const tables = await tableNames(database)
  if (tables.length === 0) return { kind: 'missing', options: {} }
  if (!tables.includes('migration') || !tables.includes('setting')) return { kind: 'foreign', options: {} }
  const applied = await database.selectFrom('migration').select('name').execute()
  if (!applied.every(({ name }) => isKnownMigration(name))) return { kind: 'newer', options: {} }
  const stored = await database
    .selectFrom('setting')
    .select('value')
    .where('key', '=', 'server')
    .executeTakeFirst()
  return {
    kind: 'usable',
    options: stored === undefined ? {} : (JSON.parse(stored.value) as StoredServingOptions),
  }
}
