import { statSync } from 'node:fs'
import { Kysely, sql } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import { isFlushedStore } from './flushed-writes.ts'
import { copyFile, detectFileState, createPrivateFile, tablesOfForeignFile } from './database-file.ts'
import { createCheckpointer, createCheckpointThread } from './checkpointer.ts'
import { createFilePresence } from './file-presence.ts'
import { createLogFlusher, writesNothing, type WriteAheadLogFlusher } from './log-flusher.ts'
import type { DatabaseFileOperations } from '../port.ts'
import { migrate, noDatabaseError, refuseForeignDatabase } from '../sql/migrate.ts'
import { awaitOtherServers } from '../sql/other-servers.ts'
import type { OpenDatabase, DatabaseOptions, DatabaseUpkeep } from '../database-options.ts'
import { openSqlite } from './sqlite.ts'
import { damagedReason } from './sqlite-failure.ts'
import { createStateVersionReader, type StateVersionReader } from './state-version.ts'
import type { Database, DatabaseTables } from '../sql/tables.ts'
import { createStoreWriter, createWriterThread, type StoreWriter } from './store-writer.ts'

export type OpenDatabaseFile = OpenDatabase & {
  readonly version: StateVersionReader
  readonly log: WriteAheadLogFlusher
  /** The thread in which a server makes all changes; null for a command, whose own thread makes them. */
  readonly writer: StoreWriter | null
  /** Copies the write-ahead log into the file before it resolves. */
  readonly checkpoint: () => Promise<void>
  /** Throws `unavailable` when the file was removed or replaced. */
  readonly requirePresence: () => void
  /** Waits for the changes that were begun, ends what the server does in the background, and copies the write-ahead log into the file. */
  readonly stopUpkeep: () => Promise<void>
}

/** The time in milliseconds for which a start and a command wait while another process keeps the database locked. */
const lockWaitMs = 5000
/** The same time for a change by a server. Backups and other tools lock a database for seconds. */
const serverLockWaitMs = 30_000
/**
 * The same time for a read by a server, which delays all requests. No lock of another process delays the reads of an open
 * database with a write-ahead log, except for the moment in which the log is repaired after a crash.
 */
const readLockWaitMs = 200

/**
 * Opens an SQLite database. Before a migration, the database is copied to `<file>.before-<version>`. Every statement that
 * writes fails with `unavailable` while the file is missing or is another file. When a server has opened the database
 * (`upkeep`), this thread only reads, and a thread of its own makes the changes.
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
  let onWrite: (() => void) | null = null
  const onStatement = (statement: string): void => {
    version.forget()
    if (writesNothing.test(statement)) return
    onWrite?.()
    log.noteWrite()
  }
  const connection = withExplainedErrors(file, () => openSqlite(file, { lockWaitMs, onStatement }))
  const database = new Kysely<DatabaseTables>({ dialect: connection.dialect })
  try {
    await migrate(database, {
      ...options,
      awaitOthers: (isNeeded) =>
        awaitOtherServers({
          wait: options.migrationWait,
          otherServersRun: async () => (await options.migrationWait?.otherServersRun(file)) === true,
          isNeeded,
        }),
      keepCopy: (version, isNeeded) => copyFile(database, `${file}.before-${version}`, isNeeded),
    })
    // The log holds the new tables, or what a server that was killed has left in it.
    if (hasLog(file)) await checkpointNow(database)
    if (options.upkeep !== undefined) await sql`pragma query_only = on`.execute(database)
  } catch (thrown) {
    version.close()
    await database.destroy()
    throw explainOpenError(thrown, file)
  }
  const opened = { database, outbox: null, version, log, fileOperations: fileOperationsOf(database, file) }
  if (options.upkeep !== undefined) {
    connection.setLockWaitMs(readLockWaitMs)
    return { ...opened, ...createServerUpkeep({ ...opened, options, upkeep: options.upkeep }) }
  }
  const presence = createFilePresence(file)
  let hasWritten = false
  onWrite = () => {
    presence.require()
    hasWritten = true
  }
  return {
    ...opened,
    writer: null,
    checkpoint: () => checkpointNow(database),
    requirePresence: () => presence.require(),
    async stopUpkeep() {
      presence.stop()
      if (hasWritten && presence.isPresent()) await checkpointNow(database)
    },
  }
}

const fileOperationsOf = (database: Database, file: string): DatabaseFileOperations => ({
  copyTo: (copy) =>
    copyFile(database, copy).catch((thrown: unknown) => Promise.reject(explainOpenError(thrown, file))),
  check: () => checkFile(database, file),
})

type ServerUpkeepDependencies = Pick<OpenDatabaseFile, 'version' | 'log'> & {
  readonly options: DatabaseOptions
  readonly upkeep: DatabaseUpkeep
}

/** Creates the parts that change an open database for a server, and that look after its file. */
function createServerUpkeep({ version, log, options, upkeep }: ServerUpkeepDependencies) {
  const { database: file, nowMs, auditBytes } = options
  const presence = createFilePresence(file, upkeep.log)
  const checkpointer = createCheckpointer({
    file,
    log: upkeep.log,
    isPresent: presence.isPresent,
    threads: upkeep.threads?.checkpoints ?? createCheckpointThread(),
  })
  const writer = createStoreWriter({
    context: {
      file,
      identity: presence.opened,
      auditBytes,
      lockWaitMs: upkeep.lockWaitMs ?? serverLockWaitMs,
    },
    threads: upkeep.threads?.writes ?? createWriterThread(),
    nowMs,
    beginWrite(store) {
      presence.require()
      const endFlushedWrite = isFlushedStore(store) ? log.beginWrite() : undefined
      return () => {
        endFlushedWrite?.()
        version.forget()
        checkpointer.noteWrite({ changesAccounts: accountStores.has(store) })
      }
    },
  })
  return {
    writer,
    checkpoint: checkpointer.checkpoint,
    requirePresence: () => presence.require(),
    async stopUpkeep() {
      await writer.close()
      presence.stop()
      await checkpointer.stop()
    },
  }
}

/** The stores whose changes people expect in a copy of the file that they make next. */
const accountStores: ReadonlySet<string> = new Set(['users', 'settings', 'shares', 'installation'])

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
    return new AppError('unavailable', { cause: thrown, reason: 'another program keeps the database locked' })
  if ([8, 13, 14].includes(primary) || syscall !== undefined)
    return new AppError('unavailable', {
      cause: thrown,
      reason: `the database cannot be opened for writing (${syscall === undefined ? thrown.message : String(code)})`,
    })
  return thrown
}
