import { sql } from 'kysely'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { migrations as allMigrations } from './migrations/migrations.ts'
import { withFlushedWrites } from './file/flushed-writes.ts'
import { withCachedReads } from './file/cached-reads.ts'
import { withWriter } from './file/store-writer.ts'
import { openDatabaseFile, type OpenDatabaseFile } from './file/open-database-file.ts'
import type { OpenDatabase, DatabaseOptions } from './database-options.ts'
import type { ServerRecords } from './port.ts'
import { withMemorySessions } from './memory-sessions.ts'
import { createAuditStore } from './audit-store.ts'
import { createStores } from './create-stores.ts'

/** Options of `openRecords`. By default, a missing database is created, and all migrations run. */
export type RecordsOptions = Pick<DatabaseOptions, 'database' | 'nowMs'> & Partial<DatabaseOptions>

/**
 * Opens the database of an installation. A database of an older version of Stowage is migrated. Throws `unsupported`
 * for a database of another program or of a newer version, `corrupt` for a damaged database, and `unavailable` for a
 * database that cannot be reached, read or written. Each error has a reason of one line.
 */
export async function openRecords(options: RecordsOptions): Promise<ServerRecords> {
  const databaseOptions = { ifMissing: 'make', migrations: allMigrations, ...options } as const
  if (!isDatabaseUrl(options.database)) {
    const opened = await openDatabaseFile(databaseOptions)
    const { version, log, writer } = opened
    const direct = recordsOn(opened, options)
    const written = writer === null ? direct : withWriter(direct, writer)
    const records = withFlushedWrites(withUpkeep(written, opened), log.flush)
    return withMemorySessions(withCachedReads(records, { version, nowMs: options.nowMs }), options.nowMs)
  }
  // The PostgreSQL client is loaded only when a PostgreSQL database is used.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return recordsOn(await openPostgres(databaseOptions), options)
}

/** Wraps the records of a database file. The first administrator is in the file itself before the password is shown. */
const withUpkeep = (records: ServerRecords, file: OpenDatabaseFile): ServerRecords => ({
  ...records,
  async setUp(initial) {
    const isStored = await records.setUp(initial)
    await file.checkpoint()
    return isStored
  },
  async ping() {
    file.requirePresence()
    await records.ping()
  },
  async close() {
    await file.stopUpkeep()
    await records.close()
  },
})

function recordsOn(
  { database, outbox, fileOperations }: OpenDatabase,
  { nowMs, auditBytes, rowsPerUser }: Pick<RecordsOptions, 'nowMs' | 'auditBytes' | 'rowsPerUser'>,
): ServerRecords {
  const audit = createAuditStore(database, auditBytes)
  const { installation, ...stores } = createStores({ database, nowMs, audit, rowsPerUser })
  return {
    ...stores,
    ...installation,
    async ping() {
      await sql`select 1`.execute(database)
    },
    version: null,
    outbox,
    fileOperations,
    close: () => database.destroy(),
  }
}
