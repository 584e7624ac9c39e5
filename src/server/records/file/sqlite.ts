import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { explainSqliteError } from './sqlite-failure.ts'

const statementCacheSize = 500

export type SqliteOptions = {
  /** The address with which SQLite opens the file, when it differs from the path. */
  readonly url?: URL
  /** The time in milliseconds for which a statement waits while another process keeps the database locked. */
  readonly lockWaitMs: number
  /** Called before each statement runs. */
  readonly onStatement: (statement: string) => void
}

/** A connection to an SQLite database. */
export type SqliteConnection = {
  readonly dialect: SqliteDialect
  /** Changes the time for which a statement waits while another process keeps the database locked. */
  readonly setLockWaitMs: (ms: number) => void
}

/** Opens a database with Node's built-in SQLite for Kysely. */
export function openSqlite(file: string, { url, lockWaitMs, onStatement }: SqliteOptions): SqliteConnection {
  const database = new DatabaseSync(url ?? file, { timeout: lockWaitMs, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  return {
    dialect: new SqliteDialect({ database: adaptDatabase(database, file, onStatement) }),
    setLockWaitMs: (ms) => database.exec(`pragma busy_timeout = ${Math.ceil(ms)}`),
  }
}

/** Adapts a database to the interface that Kysely expects. Prepared statements are cached by their SQL. */
function adaptDatabase(
  database: DatabaseSync,
  file: string,
  onStatement: (statement: string) => void,
): SqliteDatabase {
  const explained: ErrorExplainer = (work) => {
    try {
      return work()
    } catch (thrown) {
      throw explainSqliteError(thrown, file)
    }
  }
  const statements = createBoundedMap<string, SqliteStatement>(statementCacheSize)
  const prepare = (sql: string): SqliteStatement => {
    onStatement(sql)
    // SQLite may already have ended the transaction when a statement failed on a full disk. A rollback would then fail.
    if (sql === 'rollback' && !database.isTransaction) return emptyStatement
    const cached = statements.get(sql)
    if (cached) return cached
    // `begin immediate` takes the write lock at the start. With a plain `begin`, a transaction that reads first could
    // not write after another process has written.
    const statement = adaptStatement(
      explained(() => database.prepare(sql === 'begin' ? 'begin immediate' : sql)),
      explained,
    )
    statements.set(sql, statement)
    return statement
  }
  return { prepare, close: () => database.close() }
}

/** Runs work and converts its errors into errors that people understand. */
type ErrorExplainer = <T>(work: () => T) => T

const emptyStatement: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

const adaptStatement = (statement: StatementSync, explained: ErrorExplainer): SqliteStatement => ({
  reader: statement.columns().length > 0,
  all: (values) => explained(() => statement.all(...(values as SQLInputValue[]))),
  run: (values) => explained(() => statement.run(...(values as SQLInputValue[]))),
  iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
})
