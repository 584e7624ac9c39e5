import { sql } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import { columnTypesOf, lockMigrations, tableNames } from './dialect.ts'
import type { Migration } from '../migrations/migration.ts'
import type { Database } from './tables.ts'

export type MigrationOptions = {
  readonly migrations: readonly Migration[]
  readonly nowMs: () => number
  /** `make` creates the tables in an empty database; `refuse` throws `not-found` instead. */
  readonly ifMissing: 'make' | 'refuse'
  /** Waits until no other server uses the database, or until it is migrated (`isNeeded`). */
  readonly awaitOthers: (isNeeded: () => Promise<boolean>) => Promise<void>
  /** Copies the database before it is migrated to the given version, unless another process has migrated it meanwhile (`isNeeded`). */
  readonly keepCopy: (version: number, isNeeded: () => Promise<boolean>) => Promise<void>
}

/**
 * Waits for other servers and copies a database that is not empty, and then migrates the database to the newest version in one transaction. Throws `unsupported` when
 * a newer version of Stowage has written the database. When two processes start concurrently, only one of them migrates
 * the database, because the version is read again inside the transaction.
 */
export async function migrate(
  database: Database,
  { migrations, nowMs, ifMissing, awaitOthers, keepCopy }: MigrationOptions,
): Promise<void> {
  const newest = migrations.length
  const before = await versionOf(database)
  if (before > newest) throw newerDatabaseError(before, newest)
  if (before === newest) return
  if (before === 0 && ifMissing === 'refuse') throw noDatabaseError()
  if (before > 0) {
    const isNeeded = async (): Promise<boolean> => (await versionOf(database)) < newest
    await awaitOthers(isNeeded)
    if (await isNeeded()) await keepCopy(newest, isNeeded)
  }
  await database.transaction().execute(async (transaction) => {
    await lockMigrations(transaction)
    const from = await versionOf(transaction)
    if (from > newest) throw newerDatabaseError(from, newest)
    await transaction.schema
      .createTable('migration')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute()
    for (const [index, { name, up }] of migrations.entries()) {
      if (index < from) continue
      await up(transaction, columnTypesOf(transaction))
      await transaction
        .insertInto('migration')
        .values({ version: index + 1, name, applied_at: nowMs() })
        .execute()
    }
  })
}

/** Returns the number of migrations that were applied to a database; 0 for an empty database. */
async function versionOf(database: Database): Promise<number> {
  const tables = await tableNames(database)
  if (tables.length === 0) return 0
  refuseForeignDatabase(tables)
  const row = await database
    .selectFrom('migration')
    .select(sql<number | null>`max(version)`.as('version'))
    .executeTakeFirst()
  return row?.version ?? 0
}

/** Creates the error for a missing database. A missing file is named, because its path is often a default. */
export const noDatabaseError = (file?: string): AppError =>
  new AppError('not-found', {
    reason:
      file === undefined
        ? 'there is no database; `config init` creates one'
        : `there is no database at ${file}; name the database of the server with -d, or create one with \`config init\``,
  })

/** Throws `unsupported` when a database with these tables was created by another program. */
export function refuseForeignDatabase(tables: readonly string[]): void {
  if (tables.length === 0 || (tables.includes('migration') && tables.includes('setting'))) return
  throw new AppError('unsupported', {
    reason: 'the database belongs to another program; name another with -d',
  })
}

const newerDatabaseError = (found: number, known: number): AppError =>
  new AppError('unsupported', {
    reason: `a newer version of Stowage wrote the database (layout ${found}; this one knows up to ${known})`,
  })
