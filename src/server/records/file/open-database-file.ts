import { Kysely, sql, type SqliteDialect } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import { copyFile, detectFileState, createPrivateFile, tablesOfForeignFile } from './database-file.ts'
import { createLogFlusher, type WriteAheadLogFlusher } from './log-flusher.ts'
import { migrate, noDatabaseError, refuseForeignDatabase } from '../sql/migrate.ts'
import type { OpenDatabase, DatabaseOptions } from '../database-options.ts'
import { sqliteDialect } from './sqlite.ts'
import { createStateVersionReader, type StateVersionReader } from './state-version.ts'
import type { Database, DatabaseTables } from '../sql/tables.ts'

export type OpenDatabaseFile = OpenDatabase & {
  readonly version: StateVersionReader
  readonly log: WriteAheadLogFlusher
}

/** Opens an SQLite database. Before a migration, the database is copied to `<file>.before-<version>`. */
export async function openDatabaseFile(options: DatabaseOptions): Promise<OpenDatabaseFile> {
  const { database: file, ifMissing } = options
  const state = withExplainedErrors(() => detectFileState(file))
  if (state !== 'sqlite') {
    if (ifMissing === 'refuse') throw noDatabaseError(file)
    withExplainedErrors(() => createPrivateFile(file))
  } else withExplainedErrors(() => refuseForeignDatabase(tablesOfForeignFile(file)))
  const version = withExplainedErrors(() => createStateVersionReader(file))
  const log = createLogFlusher(file)
  const dialect = (): SqliteDialect =>
    sqliteDialect(file, (statement) => {
      version.forget()
      log.noteStatement(statement)
    })
  const database = withExplainedErrors(() => new Kysely<DatabaseTables>({ dialect: dialect() }))
  try {
    await migrate(database, {
      ...options,
      keepCopy: (version) => copyFile(database, `${file}.before-${version}`),
    })
  } catch (thrown) {
    version.close()
    await database.destroy()
    throw explainOpenError(thrown)
  }
  return {
    database,
    version,
    log,
    fileOperations: {
      copyTo: (copy) =>
        copyFile(database, copy).catch((thrown: unknown) => Promise.reject(explainOpenError(thrown))),
      check: () => checkFile(database),
    },
  }
}

async function checkFile(database: Database): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(database)
  if (rows[0]?.integrity_check !== 'ok') throw new AppError('corrupt', { reason: 'the database is damaged' })
}

function withExplainedErrors<T>(open: () => T): T {
  try {
    return open()
  } catch (thrown) {
    throw explainOpenError(thrown)
  }
}

/** Converts an error of SQLite or of the operating system into an `AppError` with a reason of one line. */
function explainOpenError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof AppError) return thrown
  const { code, errcode, syscall } = thrown as NodeJS.ErrnoException & { readonly errcode?: unknown }
  const primary = typeof errcode === 'number' ? errcode & 0xff : 0
  if (primary === 11 || primary === 26)
    return new AppError('corrupt', { cause: thrown, reason: 'the database is damaged' })
  if (primary === 5)
    return new AppError('busy', { cause: thrown, reason: 'another program keeps the database locked' })
  if ([8, 13, 14].includes(primary) || syscall !== undefined)
    return new AppError('unavailable', {
      cause: thrown,
      reason: `the database cannot be opened for writing (${syscall === undefined ? thrown.message : String(code)})`,
    })
  return thrown
}
