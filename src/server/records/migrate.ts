import { sql } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { columnTypesOf, holdMigrations, tableNames } from './dialect.ts'
import type { Migration } from './migrations/migration.ts'
import type { Database } from './tables.ts'

export type Migrating = {
  readonly migrations: readonly Migration[]
  readonly nowMs: () => number
  /** Whether an empty database gets its first tables; `not-found` otherwise. */
  readonly ifMissing: 'make' | 'refuse'
  /** Keeps a copy of the state as it is before the given version. Not asked for where there is no state yet. */
  readonly keepCopy: (version: number) => Promise<void>
}

/**
 * Brings a database forward in one transaction, after a copy. `unsupported` when a newer program has written it. Two processes
 * that start at once do it once: the version is read again inside the transaction.
 */
export async function migrate(
  database: Database,
  { migrations, nowMs, ifMissing, keepCopy }: Migrating,
): Promise<void> {
  const newest = migrations.length
  const before = await versionOf(database)
  if (before > newest) throw tooNew(before, newest)
  if (before === newest) return
  if (before === 0 && ifMissing === 'refuse') throw missing()
  if (before > 0) await keepCopy(newest)
  await database.transaction().execute(async (inside) => {
    await holdMigrations(inside)
    const from = await versionOf(inside)
    if (from > newest) throw tooNew(from, newest)
    await inside.schema
      .createTable('migration')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute()
    for (const [at, { name, up }] of migrations.entries()) {
      if (at < from) continue
      await up(inside, columnTypesOf(inside))
      await inside
        .insertInto('migration')
        .values({ version: at + 1, name, applied_at: nowMs() })
        .execute()
    }
  })
}

/** How many steps a database has had; 0 for an empty one. */
async function versionOf(database: Database): Promise<number> {
  const tables = await tableNames(database)
  if (tables.length === 0) return 0
  refuseForeign(tables)
  const row = await database
    .selectFrom('migration')
    .select(sql<number | null>`max(version)`.as('version'))
    .executeTakeFirst()
  return row?.version ?? 0
}

/** Where a database is wanted and there is none. */
export const missing = (): AppError =>
  new AppError('not-found', { reason: 'there is no database; `config init` makes one' })

/** Refuses a database with these tables where somebody else has made them. */
export function refuseForeign(tables: readonly string[]): void {
  if (tables.length === 0 || (tables.includes('migration') && tables.includes('setting'))) return
  throw new AppError('unsupported', {
    reason: 'the database belongs to another program; name another with -d',
  })
}

const tooNew = (found: number, known: number): AppError =>
  new AppError('unsupported', {
    reason: `a newer version of Stowage wrote the database (layout ${found}; this one knows up to ${known})`,
  })
