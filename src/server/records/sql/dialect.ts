import { PostgresAdapter, sql, type ColumnDefinitionBuilder, type Expression } from 'kysely'
import type { Database, DatabaseTables } from './tables.ts'

/**
 * True for a PostgreSQL database. This module contains all differences between SQLite and PostgreSQL, except how
 * connections are opened and how errors are reported.
 */
const isPostgres = (database: Database): boolean => database.getExecutor().adapter instanceof PostgresAdapter

/** Column types and constraints that differ between SQLite and PostgreSQL. */
export type ColumnTypes = {
  /** Text that is compared and sorted byte by byte, which is the default of SQLite. */
  readonly text: 'text' | Expression<unknown>
  /** A type for all integers that JavaScript represents exactly (up to 2^53). */
  readonly integer: 'integer' | 'bigint'
  /**
   * Adds the constraints of an id that the database generates. An id is not reused after its row was deleted, because
   * other rows may still refer to it.
   */
  readonly generatedId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  /**
   * True when an index accepts strings of any length. PostgreSQL limits indexed strings to a third of a page, and a
   * path may be longer.
   */
  readonly supportsLongKeys: boolean
}

const sqliteTypes: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  generatedId: (column) => column.primaryKey().autoIncrement(),
  supportsLongKeys: true,
}

const postgresTypes: ColumnTypes = {
  text: sql`text collate "C"`,
  integer: 'bigint',
  generatedId: (column) => column.generatedByDefaultAsIdentity().primaryKey(),
  supportsLongKeys: false,
}

export const columnTypesOf = (database: Database): ColumnTypes =>
  isPostgres(database) ? postgresTypes : sqliteTypes

/** The key of the advisory lock for migrations. The number is arbitrary, since no other program uses this database. */
const migrationLock = 0x570a6e

/**
 * Takes a lock so that only one process at a time migrates the database. The lock is released when the transaction
 * ends, also after a crash.
 */
export async function lockMigrations(transaction: Database): Promise<void> {
  if (isPostgres(transaction))
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction)
}

/**
 * Blocks writes of other transactions to a table until this transaction ends. Reads are not blocked. Must be called
 * before any other statement of the transaction. Does nothing on SQLite, where each transaction takes the only write
 * lock when it begins.
 */
export async function lockTable(transaction: Database, table: keyof DatabaseTables): Promise<void> {
  if (isPostgres(transaction))
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction)
}

/**
 * Locks a user. Other transactions that lock the same user wait until this transaction ends. Must be called before any
 * other statement of the transaction.
 */
export async function lockUser(transaction: Database, id: number): Promise<void> {
  if (isPostgres(transaction))
    await sql`select 1 from "user" where id = ${id} for no key update`.execute(transaction)
}

/** Returns the names of all tables and views in the schema that Stowage uses, including tables of other programs. */
export async function tableNames(database: Database): Promise<readonly string[]> {
  const { rows } = await (
    isPostgres(database)
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{
          name: string
        }>`select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'`
  ).execute(database)
  return rows.map(({ name }) => name)
}

/** Returns the highest id that a user ever had; 0 when no user was ever stored. */
export async function highestUserId(transaction: Database): Promise<number> {
  const { rows } = await (
    isPostgres(transaction)
      ? sql<{ seq: number }>`select coalesce(pg_sequence_last_value(${userIdSequence}), 0) as seq`
      : sql<{ seq: number }>`select seq from sqlite_sequence where name = 'user'`
  ).execute(transaction)
  return rows[0]?.seq ?? 0
}

/**
 * Makes the database generate only ids above the given id. Called after a user was stored with an id that the database
 * did not generate.
 */
export async function advanceUserId(transaction: Database, id: number): Promise<void> {
  if (isPostgres(transaction)) {
    await sql`select setval(${userIdSequence}, ${id})`.execute(transaction)
    return
  }
  await sql`delete from sqlite_sequence where name = 'user' and seq < ${id}`.execute(transaction)
  await sql`insert into sqlite_sequence (name, seq) select 'user', ${id}
    where not exists (select 1 from sqlite_sequence where name = 'user')`.execute(transaction)
}

const userIdSequence = sql`pg_get_serial_sequence('"user"', 'id')::regclass`
