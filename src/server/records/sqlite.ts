import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { asRecordFailure } from './failures.ts'

const statementsKept = 500

/**
 * Kysely's dialect over Node's own SQLite. Waits up to five seconds for another process that writes (the command line works while
 * the server runs). `onStatement` hears of each statement before it is run.
 */
export function sqliteDialect(file: string, onStatement: (statement: string) => void): SqliteDialect {
  const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  return new SqliteDialect({ database: adapted(database, onStatement) })
}

/** The shape that Kysely knows; statements are kept by their text. */
function adapted(database: DatabaseSync, onStatement: (statement: string) => void): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>()
  const prepare = (sql: string): SqliteStatement => {
    onStatement(sql)
    // What fails for want of room may have ended its transaction already; there is nothing left to take back then.
    if (sql === 'rollback' && !database.isTransaction) return nothingToDo
    const known = kept.get(sql)
    if (known) return known
    // Taken at once: a transaction that reads first could not begin to write after another process has.
    const statement = adaptedStatement(
      explained(() => database.prepare(sql === 'begin' ? 'begin immediate' : sql)),
    )
    if (kept.size >= statementsKept) kept.clear()
    kept.set(sql, statement)
    return statement
  }
  return { prepare, close: () => database.close() }
}

const nothingToDo: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

const adaptedStatement = (statement: StatementSync): SqliteStatement => ({
  reader: statement.columns().length > 0,
  all: (values) => explained(() => statement.all(...(values as SQLInputValue[]))),
  run: (values) => explained(() => statement.run(...(values as SQLInputValue[]))),
  iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
})

function explained<T>(work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw asRecordFailure(thrown)
  }
}
