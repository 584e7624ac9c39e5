import { existsSync, realpathSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import { detectFileState, sideFileSuffixes } from './database-file.ts'
import { isKnownMigration } from '../migrations/migrations.ts'
import type { StoredServingOptions } from '../settings.ts'

/** The state of a database file. `usable` includes the databases that the next start will migrate. */
export type DatabaseFacts = {
  /** The options of the server that are stored in it. */
  readonly options: StoredServingOptions
} & (
  | { readonly kind: 'usable' | 'missing' | 'foreign' | 'locked' | 'damaged' | 'newer' }
  /** `reason` is the message of the system or of SQLite. */
  | { readonly kind: 'unreadable'; readonly reason: string }
)

/** A database that is open for reading. */
export type ReadableDatabase = Pick<DatabaseSync, 'prepare'>

/** The time in milliseconds for which the check waits while another program keeps the database locked. */
const lockWaitMs = 2000

/**
 * Checks a database file without changing it, also while a server uses it. The file is opened for reading, so that no lock
 * stops the server.
 */
export function databaseFacts(file: string): DatabaseFacts {
  try {
    // Unlike `existsSync`, this throws for a folder above the file that cannot be entered.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return { kind: 'missing', options: {} }
    if (detectFileState(file) !== 'sqlite') return { kind: 'missing', options: {} }
  } catch (thrown) {
    return codeOf(thrown) === 'unsupported' ? { kind: 'foreign', options: {} } : unreadable(thrown)
  }
  try {
    return readDatabase(file, factsOf)
  } catch (thrown) {
    if (isDamage(thrown)) return { kind: 'damaged', options: {} }
    return isLock(thrown) ? { kind: 'locked', options: {} } : unreadable(thrown)
  }
}

const unreadable = (thrown: unknown): DatabaseFacts => ({
  kind: 'unreadable',
  reason: thrown instanceof Error ? thrown.message : String(thrown),
  options: {},
})

/**
 * Reads a database without changing it. A database that nobody uses is opened as one that never changes, because SQLite would
 * otherwise create the files of its log beside it and leave them there. When the file changes meanwhile, or seems damaged, it
 * is read again as a database that is in use.
 */
export function readDatabase<Value>(file: string, read: (database: DatabaseSync) => Value): Value {
  // SQLite puts the side files beside the file to which a symbolic link leads.
  const real = realpathSync(file)
  const before = idleVersion(real)
  if (before !== null) {
    try {
      const value = readWith(address(real, { isImmutable: true }), read)
      if (idleVersion(real) === before) return value
    } catch (thrown) {
      if (idleVersion(real) === before && !isDamage(thrown)) throw thrown
    }
  }
  return readWith(address(real, { isImmutable: false }), read)
}

/**
 * Returns true for a database that `isOurs` accepts by its tables, and for a damaged one. The file is read as it is on the disk,
 * without its log, so that SQLite creates no files beside it.
 */
export function hasTables(file: string, isOurs: (tables: ReadonlySet<unknown>) => boolean): boolean {
  try {
    return readWith(address(realpathSync(file), { isImmutable: true }), (database) =>
      isOurs(tablesOf(database)),
    )
  } catch (thrown) {
    return isDamage(thrown)
  }
}

function address(file: string, { isImmutable }: { readonly isImmutable: boolean }): URL {
  const url = pathToFileURL(file)
  if (isImmutable) url.searchParams.set('immutable', '1')
  return url
}

function readWith<Value>(url: URL, read: (database: DatabaseSync) => Value): Value {
  const database = new DatabaseSync(url, { readOnly: true, timeout: lockWaitMs })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** Returns a text that changes with each write to the file. Null while the database has side files, as one in use has. */
function idleVersion(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined || sideFileSuffixes.some((suffix) => existsSync(file + suffix))) return null
  return [stat.ino, stat.size, stat.mtimeNs].join(' ')
}

const tablesOf = (database: DatabaseSync): ReadonlySet<unknown> =>
  new Set(
    database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name),
  )

/** Returns true for the tables of a state, of any version. */
export const areOfState = (tables: ReadonlySet<unknown>): boolean =>
  tables.has('migration') && tables.has('setting')

/** Returns the number of the newest migration that a database of Stowage has. */
export const versionOf = (database: ReadableDatabase): number =>
  Number(database.prepare('select max(version) as version from migration').get()?.['version'])

function factsOf(database: DatabaseSync): DatabaseFacts {
  const [fault] = Object.values(database.prepare('pragma integrity_check(1)').get() ?? {})
  if (fault !== 'ok') throw new AppError('corrupt', { reason: String(fault) })
  const tables = tablesOf(database)
  if (tables.size === 0) return { kind: 'missing', options: {} }
  if (!areOfState(tables)) return { kind: 'foreign', options: {} }
  const applied = database.prepare('select name from migration').all()
  if (!applied.every(({ name }) => isKnownMigration(name))) return { kind: 'newer', options: {} }
  const stored = database.prepare("select value from setting where key = 'server'").get()?.['value']
  return {
    kind: 'usable',
    options: typeof stored === 'string' ? (JSON.parse(stored) as StoredServingOptions) : {},
  }
}

/** Returns the primary result code of SQLite. Undefined for an error of something else. */
function sqliteCode(thrown: unknown): number | undefined {
  const { errcode } = (thrown ?? {}) as { readonly errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** SQLITE_BUSY and SQLITE_LOCKED: the file is locked by another program. */
const isLock = (thrown: unknown): boolean => [5, 6].includes(sqliteCode(thrown) ?? 0)

/**
 * Returns true for an error that is about the content of a database: SQLITE_CORRUPT, SQLITE_NOTADB, or the failure `corrupt`
 * unless SQLite gave another reason for it, such as a full disk.
 */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof AppError)
    return thrown.code === 'corrupt' && (sqliteCode(thrown.cause) === undefined || isDamage(thrown.cause))
  return [11, 26].includes(sqliteCode(thrown) ?? 0)
}
