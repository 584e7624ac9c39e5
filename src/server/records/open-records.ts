import { Kysely, sql } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { copyFile, lookAtFile, makeFile } from './database-file.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations as ours } from './migrations/migrations.ts'
import type { Records } from './port.ts'
import { createSessions } from './sessions.ts'
import { createSettings } from './settings.ts'
import { createShares } from './shares.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Database, Tables } from './tables.ts'
import { createThrottles } from './throttles.ts'
import { createUploads } from './uploads.ts'
import { createUsers } from './users.ts'

export type OpenRecords = {
  /** Absolute. */
  readonly file: string
  readonly nowMs: () => number
  /** Whether a missing or empty file becomes a new database; `not-found` otherwise. Made by default. */
  readonly ifMissing?: 'make' | 'refuse'
  readonly migrations?: readonly Migration[]
}

/**
 * The state of an installation. The file is brought forward when an older version has written it (its copy is kept beside it as
 * `<file>.before-<version>`). `unsupported` for what is no database of ours or a newer one, `corrupt` for a damaged one,
 * `unavailable` when it cannot be read and written; each with a reason of one line.
 */
export async function openRecords(wish: OpenRecords): Promise<Records> {
  const { file, nowMs, ifMissing = 'make' } = wish
  const state = explained(() => lookAtFile(file))
  if (state !== 'sqlite') {
    if (ifMissing === 'refuse') throw missing()
    explained(() => makeFile(file))
  }
  const database = explained(() => new Kysely<Tables>({ dialect: sqliteDialect(file) }))
  try {
    await migrate(database, {
      migrations: wish.migrations ?? ours,
      nowMs,
      keepCopy: (version) => copyFile(database, `${file}.before-${version}`),
    })
  } catch (thrown) {
    await database.destroy()
    throw reasonOf(thrown)
  }
  return recordsOn(database, nowMs)
}

const recordsOn = (database: Database, nowMs: () => number): Records => ({
  users: createUsers(database, nowMs),
  sessions: createSessions(database, nowMs),
  shares: createShares(database, nowMs),
  settings: createSettings(database),
  throttles: createThrottles(database, nowMs),
  copyTo: (file) => copyFile(database, file).catch((thrown: unknown) => Promise.reject(reasonOf(thrown))),
  check: () => checkFile(database),
  uploads: createUploads(database),
  close: () => database.destroy(),
})

async function checkFile(database: Database): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(database)
  if (rows[0]?.integrity_check !== 'ok') throw new AppError('corrupt', { reason: 'the database is damaged' })
}

const missing = (): AppError =>
  new AppError('not-found', { reason: 'there is no database; `config init` makes one' })

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
