import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import { detectFileState } from './database-file.ts'
import { migrations } from '../migrations/migrations.ts'
import type { StoredServingOptions } from '../settings.ts'

/** What a database file turned out to be. `usable` includes the databases that the next start will migrate. */
export type DatabaseFacts = {
  readonly kind: 'usable' | 'missing' | 'foreign' | 'locked' | 'damaged' | 'newer'
  /** The options of the server that are stored in it. */
  readonly options: StoredServingOptions
}

/** The time in milliseconds for which the check waits while another program keeps the database locked. */
const lockWaitMs = 2000

const without = (kind: DatabaseFacts['kind']): DatabaseFacts => ({ kind, options: {} })

/**
 * Checks a database file without changing it, also while a server uses it. The file is opened for reading, so that no lock
 * stops the server.
 */
export function databaseFacts(file: string): DatabaseFacts {
  try {
    if (detectFileState(file) !== 'sqlite') return without('missing')
  } catch {
    return without('foreign')
  }
  try {
    const database = openForReading(file)
    try {
      return factsOf(database)
    } finally {
      database.close()
    }
  } catch (thrown) {
    return without(kindOfFailure(thrown))
  }
}

/** Opens a database for reading. The caller closes it. */
export function openForReading(file: string): DatabaseSync {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  // SQLite would create the files of its log beside a database that nobody uses, and leave them there.
  const isIdle = log === undefined && !existsSync(`${file}-shm`)
  const address = pathToFileURL(file)
  if (isIdle) address.searchParams.set('immutable', '1')
  return new DatabaseSync(address, { readOnly: true, timeout: lockWaitMs })
}

function factsOf(database: DatabaseSync): DatabaseFacts {
  const [fault] = Object.values(database.prepare('pragma integrity_check(1)').get() ?? {})
  if (fault !== 'ok') return without('damaged')
  const tables = new Set(
    database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name),
  )
  if (tables.size === 0) return without('missing')
  if (!tables.has('migration') || !tables.has('setting')) return without('foreign')
  const version = Number(database.prepare('select max(version) as version from migration').get()?.['version'])
  if (version > migrations.length) return without('newer')
  const stored = database.prepare("select value from setting where key = 'server'").get()?.['value']
  return {
    kind: 'usable',
    options: typeof stored === 'string' ? (JSON.parse(stored) as StoredServingOptions) : {},
  }
}

/** The primary result codes of SQLite for a file that is locked by another program. */
const lockedCodes = [5, 6]

function kindOfFailure(thrown: unknown): 'locked' | 'damaged' {
  const { errcode } = thrown as { readonly errcode?: unknown }
  return typeof errcode === 'number' && lockedCodes.includes(errcode & 0xff) ? 'locked' : 'damaged'
}
