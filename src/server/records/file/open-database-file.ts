import { statSync } from 'node:fs'
import { Kysely, sql, type SqliteDialect } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import { copyFile, detectFileState, createPrivateFile, tablesOfForeignFile } from './database-file.ts'
import { createCheckpointer, createCheckpointThread } from './checkpointer.ts'
import { createFilePresence } from './file-presence.ts'
import { createLogFlusher, writesNothing, type WriteAheadLogFlusher } from './log-flusher.ts'
import { migrate, noDatabaseError, refuseForeignDatabase } from '../sql/migrate.ts'
import type { OpenDatabase, DatabaseOptions } from '../database-options.ts'
import { sqliteDialect } from './sqlite.ts'
import { damagedReason } from './sqlite-failure.ts'
import { createStateVersionReader, type StateVersionReader } from './state-version.ts'
import type { Database, DatabaseTables } from '../sql/tables.ts'

export type OpenDatabaseFile = OpenDatabase & {
  readonly version: StateVersionReader
  readonly log: WriteAheadLogFlusher
  /** Copies the write-ahead log into the file before it resolves. It blocks the main thread. */
  readonly checkpoint: () => Promise<void>
  /** Throws `unavailable` when the file was removed or replaced. */
  readonly requirePresence: () => void
  /** Ends what the server does in the background, and copies the write-ahead log into the file. */
  readonly stopUpkeep: () => Promise<void>
}

/**
 * Opens an SQLite database. Before a migration, the database is copied to `<file>.before-<version>`. Every statement that
 * writes fails with `unavailable` while the file is missing or is another file.
 */
export async function openDatabaseFile(options: DatabaseOptions): Promise<OpenDatabaseFile> {
  const { database: file, ifMissing } = options
  const state = withExplainedErrors(file, () => detectFileState(file))
  if (state !== 'sqlite') {
    if (ifMissing === 'refuse') throw noDatabaseError(file)
    withExplainedErrors(file, () => createPrivateFile(file))
  } else withExplainedErrors(file, () => refuseForeignDatabase(tablesOfForeignFile(file)))
  const version = withExplainedErrors(file, () => createStateVersionReader(file))
  const log = createLogFlusher(file)
  let onWrite: ((statement: string) => void) | null = null
  const dialect = (): SqliteDialect =>
    sqliteDialect(file, (statement) => {
      version.forget()
      if (writesNothing.test(statement)) return
      onWrite?.(statement)
      log.noteWrite()
    })
  const database = withExplainedErrors(file, () => new Kysely<DatabaseTables>({ dialect: dialect() }))
  try {
    await migrate(database, {
      ...options,
      keepCopy: (version) => copyFile(database, `${file}.before-${version}`),
    })
    // The log holds the new tables, or what a server that was killed has left in it.
    if (hasLog(file)) await checkpointNow(database)
  } catch (thrown) {
    version.close()
    await database.destroy()
    throw explainOpenError(thrown, file)
  }
  const upkeep = createUpkeep(file, options.upkeep)
  onWrite = (statement) => upkeep.onWrite(statement)
  return {
    database,
    version,
    log,
    checkpoint: () => checkpointNow(database),
    requirePresence: upkeep.requirePresence,
    async stopUpkeep() {
      await upkeep.stop()
      if (upkeep.hasWritten()) await checkpointNow(database)
    },
    fileOperations: {
      copyTo: (copy) =>
        copyFile(database, copy).catch((thrown: unknown) => Promise.reject(explainOpenError(thrown, file))),
      check: () => checkFile(database, file),
    },
  }
}

/** Watches over an open file: refuses writes that would be lost, and for a server starts checkpoints after them. */
function createUpkeep(file: string, options: DatabaseOptions['upkeep']) {
  const presence = createFilePresence(file, options?.log)
  const checkpointer =
    options === undefined
      ? null
      : createCheckpointer({
          file,
          log: options.log,
          isPresent: presence.isPresent,
          threads: options.threads ?? createCheckpointThread(),
        })
  let hasWritten = false
  return {
    onWrite(statement: string) {
      presence.require()
      hasWritten = true
      checkpointer?.noteWrite(statement)
    },
    requirePresence: () => presence.require(),
    hasWritten: () => hasWritten && presence.isPresent(),
    async stop() {
      presence.stop()
      await checkpointer?.stop()
    },
  }
}

const hasLog = (file: string): boolean => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * Copies the write-ahead log into the database file on the main thread. Nothing is thrown when this fails, because SQLite
 * applies the log at the next start as well.
 */
async function checkpointNow(database: Database): Promise<void> {
  await sql`pragma wal_checkpoint(passive)`.execute(database).catch(() => {})
}

async function checkFile(database: Database, file: string): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(database)
  if (rows[0]?.integrity_check !== 'ok') throw new AppError('corrupt', { reason: damagedReason(file) })
}

function withExplainedErrors<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (thrown) {
    throw explainOpenError(thrown, file)
  }
}

/** Converts an error of SQLite or of the operating system into an `AppError` with a reason of one line. */
function explainOpenError(thrown: unknown, file: string): unknown {
  if (!(thrown instanceof Error) || thrown instanceof AppError) return thrown
  const { code, errcode, syscall } = thrown as NodeJS.ErrnoException & { readonly errcode?: unknown }
  const primary = typeof errcode === 'number' ? errcode & 0xff : 0
  if (primary === 11 || primary === 26)
    return new AppError('corrupt', { cause: thrown, reason: damagedReason(file) })
  if (primary === 5)
    return new AppError('busy', { cause: thrown, reason: 'another program keeps the database locked' })
  if ([8, 13, 14].includes(primary) || syscall !== undefined)
    return new AppError('unavailable', {
      cause: thrown,
      reason: `the database cannot be opened for writing (${syscall === undefined ? thrown.message : String(code)})`,
    })
  return thrown
}
