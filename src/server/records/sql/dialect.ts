import { PostgresAdapter, sql, type ColumnDefinitionBuilder, type Expression } from 'kysely'
import type { Database, Tables } from './tables.ts'

/**
 * This module holds the differences between SQLite and PostgreSQL, except how a connection is opened and how errors are
 * reported. Everything else in this folder is written once for both databases.
 */
const isPostgres = (database: Database): boolean => database.getExecutor().adapter instanceof PostgresAdapter

/** Column types that the two databases spell differently. */
export type ColumnTypes = {
  /** Text that is compared and sorted byte by byte, which is the default of SQLite. */
  readonly text: 'text' | Expression<unknown>
  /** An integer type that holds every integer that JavaScript represents exactly (up to 2^53). */
  readonly integer: 'integer' | 'bigint'
  /**
   * An id that the database generates. It is never used again after its row was deleted, because other rows may still
   * name it.
   */
  readonly generatedId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  /**
   * True when an index accepts texts of any length. PostgreSQL limits them to a third of a page, and a path may be
   * longer.
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

/** The key of an advisory lock. Any number will do, since no other program uses this database. */
const migrationLock = 0x570a6e

/** Lets one process at a time migrate the database. The lock is released with the transaction, also after a crash. */
export async function lockMigrations(transaction: Database): Promise<void> {
  if (isPostgres(transaction))
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction)
}

/**
 * Keeps other transactions from writing to a table until this transaction ends; reads go on. It must be the first
 * statement of the transaction. On SQLite it does nothing: there is only one writer, which was chosen when the
 * transaction began.
 */
export async function lockTable(transaction: Database, table: keyof Tables): Promise<void> {
  if (isPostgres(transaction))
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction)
}

/**
 * Makes other transactions that lock the same user wait until this transaction ends. It must be the first statement as
 * well.
 */
export async function lockUser(transaction: Database, id: number): Promise<void> {
  if (isPostgres(transaction))
    await sql`select 1 from "user" where id = ${id} for no key update`.execute(transaction)
}

/** Returns the names of all tables and views in the schema of our tables, including those of other programs. */
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

/** Returns the highest id that a user ever had; 0 when there was no user yet. */
export async function highestUserId(transaction: Database): Promise<number> {
  const { rows } = await (
    isPostgres(transaction)
      ? sql<{ seq: number }>`select coalesce(pg_sequence_last_value(${userIdSequence}), 0) as seq`
      : sql<{ seq: number }>`select seq from sqlite_sequence where name = 'user'`
  ).execute(transaction)
  return rows[0]?.seq ?? 0
}

/**
 * Makes the database generate ids above the given one, after a user was stored under an id that the database did not
 * generate.
 */
export async function advanceUserId(transaction: Database, id: number): Promise<void> {
  if (isPostgres(transaction)) await sql`select setval(${userIdSequence}, ${id})`.execute(transaction)
}

const userIdSequence = sql`pg_get_serial_sequence('"user"', 'id')::regclass`
