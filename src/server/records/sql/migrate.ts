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
 * Waits for other servers and copies a database that is not empty, and then applies the migrations that it lacks, in one transaction.
 * Migrations are known by their names, because some databases were created while the list had another order. Throws
 * `unsupported` when a newer version of Stowage has written the database. When two processes start concurrently, only one of
 * them migrates the database, because the names are read again inside the transaction.
 */
export async function migrate(
  database: Database,
  { migrations, nowMs, ifMissing, awaitOthers, keepCopy }: MigrationOptions,
): Promise<void> {
  const missingIn = async (source: Database): Promise<MissingMigrations> =>
    missingMigrations(migrations, await appliedMigrations(source))
  const before = await missingIn(database)
  if (before.missing.length === 0) return
  if (before.version === 0 && ifMissing === 'refuse') throw noDatabaseError()
  if (before.version > 0) {
    const isNeeded = async (): Promise<boolean> => (await missingIn(database)).missing.length > 0
    await awaitOthers(isNeeded)
    if (await isNeeded()) await keepCopy(migrations.length, isNeeded)
  }
  await database.transaction().execute(async (transaction) => {
    await lockMigrations(transaction)
    const { missing, version } = await missingIn(transaction)
    await transaction.schema
      .createTable('migration')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('applied_at', 'bigint', (column) => column.notNull())
      .execute()
    for (const [index, { name, up }] of missing.entries()) {
      await up(transaction, columnTypesOf(transaction))
      await transaction
        .insertInto('migration')
        .values({ version: version + index + 1, name, applied_at: nowMs() })
        .execute()
    }
  })
}

/** The migrations that a database lacks, in the order in which they run, and the version of the last one that it has; 0 for none. */
type MissingMigrations = { readonly missing: readonly Migration[]; readonly version: number }

type AppliedMigration = { readonly version: number; readonly name: string }

/** Returns the migrations that a database lacks. Throws `unsupported` when it has one that is not among those that are known. */
function missingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): MissingMigrations {
  const knownNames = new Set(known.map(({ name }) => name))
  const newer = applied.find(({ name }) => !knownNames.has(name))
  if (newer !== undefined) throw newerDatabaseError(newer, known.length)
  const appliedNames = new Set(applied.map(({ name }) => name))
  return {
    missing: known.filter(({ name }) => !appliedNames.has(name)),
    version: applied.at(-1)?.version ?? 0,
  }
}

/** Returns the migrations that were applied to a database, in the order in which they ran. */
async function appliedMigrations(database: Database): Promise<readonly AppliedMigration[]> {
  const tables = await tableNames(database)
  if (tables.length === 0) return []
  refuseForeignDatabase(tables)
  return database.selectFrom('migration').select(['version', 'name']).orderBy('version').execute()
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

const newerDatabaseError = ({ version, name }: AppliedMigration, known: number): AppError =>
  new AppError('unsupported', {
    reason: `a newer version of Stowage wrote the database (layout ${version}, ${name}; this one knows up to ${known})`,
  })
