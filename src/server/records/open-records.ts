import { sql } from 'kysely'
import { isDatabaseAddress } from '../../shared/domain/database-address.ts'
import { migrations as ours } from './migrations/migrations.ts'
import { withFlushedWrites } from './file/flushed-writes.ts'
import { withKeptReads } from './file/kept-reads.ts'
import { openFile } from './file/open-file.ts'
import type { Opened, Opening } from './opening.ts'
import type { Records } from './port.ts'
import { createSessions } from './sessions.ts'
import { createSettings } from './settings.ts'
import { setUp } from './set-up.ts'
import { createShares } from './shares.ts'
import { createThrottles } from './throttles.ts'
import { createUploads } from './uploads.ts'
import { createUsers } from './users.ts'

/** Made by default, and brought forward to what this version knows. */
export type OpenRecords = Pick<Opening, 'database' | 'nowMs'> & Partial<Opening>

/**
 * The state of an installation, brought forward when an older version has written it. `unsupported` for what is no database of ours
 * or a newer one, `corrupt` for a damaged one, `unavailable` when it cannot be reached, read or written; each with a reason of one
 * line.
 */
export async function openRecords(wish: OpenRecords): Promise<Records> {
  const opening = { ifMissing: 'make', migrations: ours, ...wish } as const
  if (!isDatabaseAddress(wish.database)) {
    const opened = await openFile(opening)
    const { version, log } = opened
    const records = withFlushedWrites(recordsOn(opened, wish.nowMs), log.flush)
    return withKeptReads(records, { version, nowMs: wish.nowMs })
  }
  // Only who keeps the state there waits for the client to be loaded.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return recordsOn(await openPostgres(opening), wish.nowMs)
}

const recordsOn = ({ database, asFile }: Opened, nowMs: () => number): Records => ({
  users: createUsers(database, nowMs),
  sessions: createSessions(database, nowMs),
  shares: createShares(database, nowMs),
  settings: createSettings(database),
  throttles: createThrottles(database, nowMs),
  uploads: createUploads(database),
  setUp: (first) => setUp(database, nowMs, first),
  async ping() {
    await sql`select 1`.execute(database)
  },
  version: null,
  asFile,
  close: () => database.destroy(),
})
