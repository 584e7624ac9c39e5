import { PostgresAdapter, sql, type ColumnDefinitionBuilder, type Expression } from 'kysely'
import type { Database, Tables } from './tables.ts'

/**
 * What differs between SQLite and PostgreSQL, beside how a connection is made and what its errors are called. Everything else
 * is said once.
 */
const isPostgres = (database: Database): boolean => database.getExecutor().adapter instanceof PostgresAdapter

/** What columns are made of where the databases have no word in common. */
export type ColumnTypes = {
  /** Compared and sorted byte by byte, as SQLite does by itself. */
  readonly text: 'text' | Expression<unknown>
  /** Takes every whole number that JavaScript knows exactly. */
  readonly integer: 'integer' | 'bigint'
  /** A number of the database's own, never used again after its row is gone: rows elsewhere may still name it. */
  readonly ownId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  /** Whether an index takes texts of any length. PostgreSQL's end at a third of a page: a path may be longer. */
  readonly areLongKeysTaken: boolean
}

const sqliteTypes: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  ownId: (column) => column.primaryKey().autoIncrement(),
  areLongKeysTaken: true,
}

const postgresTypes: ColumnTypes = {
  text: sql`text collate "C"`,
  integer: 'bigint',
  ownId: (column) => column.generatedByDefaultAsIdentity().primaryKey(),
  areLongKeysTaken: false,
}

export const columnTypesOf = (database: Database): ColumnTypes =>
  isPostgres(database) ? postgresTypes : sqliteTypes

/** Any number: only this program takes it, in the one database that is its own. */
const migrationLock = 0x570a6e

/** Lets one process at a time bring a database forward. It holds for the transaction, so that it outlives no crash. */
export async function holdMigrations(inside: Database): Promise<void> {
  if (isPostgres(inside)) await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(inside)
}

/**
 * Lets no other transaction write to a table until this one is over; reading goes on. To be asked for first. SQLite has one writer,
 * which was chosen when its transaction began.
 */
export async function holdTable(inside: Database, table: keyof Tables): Promise<void> {
  if (isPostgres(inside))
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(inside)
}

/** Lets nobody else who asks for the same user go on until this transaction is over. To be asked for first, as well. */
export async function holdUser(inside: Database, id: number): Promise<void> {
  if (isPostgres(inside)) await sql`select 1 from "user" where id = ${id} for no key update`.execute(inside)
}

/** The tables where ours are or would be, others' included. */
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

/** The highest id that a user ever had; 0 when there was none. */
export async function highestUserId(inside: Database): Promise<number> {
  const { rows } = await (
    isPostgres(inside)
      ? sql<{ seq: number }>`select coalesce(pg_sequence_last_value(${userIds}), 0) as seq`
      : sql<{ seq: number }>`select seq from sqlite_sequence where name = 'user'`
  ).execute(inside)
  return rows[0]?.seq ?? 0
}

/** A user has been stored under an id of their own, higher than all before: the next one comes after it. */
export async function noteUserId(inside: Database, id: number): Promise<void> {
  if (isPostgres(inside)) await sql`select setval(${userIds}, ${id})`.execute(inside)
}

const userIds = sql`pg_get_serial_sequence('"user"', 'id')::regclass`
