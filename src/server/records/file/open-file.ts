import { Kysely, sql, type SqliteDialect } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import { copyFile, lookAtFile, makeFile, tablesOfUntouched } from './database-file.ts'
import { createLogFlush, type LogFlush } from './log-flush.ts'
import { migrate, missing, refuseForeign } from '../migrate.ts'
import type { Opened, Opening } from '../opening.ts'
import { sqliteDialect } from '../sqlite.ts'
import { watchState, type StateVersion } from './state-version.ts'
import type { Database, Tables } from '../tables.ts'

export type OpenedFile = Opened & { readonly version: StateVersion; readonly log: LogFlush }

/** A database that is a file of SQLite's. Its copy of before a migration is kept beside it as `<file>.before-<version>`. */
export async function openFile(wish: Opening): Promise<OpenedFile> {
  const { database: file, ifMissing } = wish
  const state = explained(() => lookAtFile(file))
  if (state !== 'sqlite') {
    if (ifMissing === 'refuse') throw missing()
    explained(() => makeFile(file))
  } else explained(() => refuseForeign(tablesOfUntouched(file)))
  const version = explained(() => watchState(file))
  const log = createLogFlush(file)
  const dialect = (): SqliteDialect =>
    sqliteDialect(file, (statement) => {
      version.forget()
      log.heard(statement)
    })
  const database = explained(() => new Kysely<Tables>({ dialect: dialect() }))
  try {
    await migrate(database, {
      ...wish,
      keepCopy: (version) => copyFile(database, `${file}.before-${version}`),
    })
  } catch (thrown) {
    version.close()
    await database.destroy()
    throw reasonOf(thrown)
  }
  return {
    database,
    version,
    log,
    asFile: {
      copyTo: (copy) => copyFile(database, copy).catch((thrown: unknown) => Promise.reject(reasonOf(thrown))),
      check: () => checkFile(database),
    },
  }
}

async function checkFile(database: Database): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(database)
  if (rows[0]?.integrity_check !== 'ok') throw new AppError('corrupt', { reason: 'the database is damaged' })
}

function explained<T>(open: () => T): T {
  try {
    return open()
  } catch (thrown) {
    throw reasonOf(thrown)
  }
}

/** SQLite's primary result codes, and the system's, as one line each. */
function reasonOf(thrown: unknown): unknown {
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
