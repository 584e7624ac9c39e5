import { chmodSync, copyFileSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { isDamage, readDatabase, versionOf, type ReadableDatabase } from '../records/file/database-facts.ts'
import { logSuffixes } from '../records/file/database-file.ts'
import { migrations } from '../records/migrations/migrations.ts'
import { restoreRecords } from '../records/restore.ts'
import type { FoundOnMachine } from './check-machine.ts'
import { newestBackup } from './newest-backup.ts'
import { withPrivateFolder, type SignalListener } from './private-folder.ts'

export type DeepCheckOptions = {
  readonly databaseFile: string
  /** The folder of the backups. */
  readonly backups: string
  readonly nowMs: () => number
  readonly atSignal: SignalListener
  /** Returns the free space in bytes of the disk that contains a folder. */
  readonly freeBytes?: (folder: string) => number
}

/**
 * The outcome of the deep check. `restored` is the backup that was restored, or null when none was. It is compared only with a
 * state of the same version.
 */
export type DeepCheckResult = {
  readonly restored: string | null
  readonly isCompared: boolean
  readonly found: readonly FoundOnMachine[]
}

/**
 * Restores the newest backup into a temporary folder beside the database, which only the server can enter, and compares it
 * with the state. The folder is removed afterwards; the backup and the state stay as they are.
 */
export async function deepCheck(options: DeepCheckOptions): Promise<DeepCheckResult> {
  const { databaseFile, backups, freeBytes = freeBytesOf, atSignal } = options
  let place = backups
  try {
    const backup = newestBackup(databaseFile, backups)
    if (backup === null) return unrestored('backup-missing', backups)
    place = backup
    const [free, needed] = [freeBytes(dirname(databaseFile)), copies * bytesOf(realpathSync(backup))]
    if (free < needed)
      return unrestored(
        'backup-unchecked',
        `${backup}: the check needs ${mebibytes(needed)} of free space beside the database, and ${mebibytes(free)} are free`,
      )
    return await withPrivateFolder({ databaseFile, atSignal }, (folder) =>
      restoreInto(folder, backup, options),
    )
  } catch (thrown) {
    return unrestored('backup-unchecked', `${place}: ${messageOf(thrown)}`)
  }
}

const unrestored = (code: FoundOnMachine['code'], subject: string): DeepCheckResult => ({
  restored: null,
  isCompared: false,
  found: [{ code, subject }],
})

const messageOf = (thrown: unknown): string =>
  thrown instanceof AppError ? (thrown.reason ?? thrown.code) : (thrown as Error).message

/** The backup is copied, the copy is staged beside the restored database, and then becomes this database. */
const copies = 3

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Returns the size of a database and its log. */
const bytesOf = (file: string): number =>
  ['', ...logSuffixes].reduce(
    (sum, suffix) => sum + (statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

async function restoreInto(
  folder: string,
  backup: string,
  { databaseFile, nowMs }: DeepCheckOptions,
): Promise<DeepCheckResult> {
  const [copy, file] = [join(folder, 'backup.db'), join(folder, 'restored.db')]
  copyWithLog(realpathSync(backup), copy)
  try {
    await restoreRecords({ from: copy, file, formerCopy: null, nowMs })
  } catch (thrown) {
    if (codeOf(thrown) !== 'unsupported' && !isDamage(thrown)) throw thrown
    return unrestored('backup-damaged', `${backup}: ${messageOf(thrown).replaceAll(copy, backup)}`)
  }
  const [state, restored] = [readDatabase(databaseFile, recordsIn), readDatabase(file, recordsIn)]
  if (state === null || restored === null) return { restored: backup, isCompared: false, found: [] }
  const missing = differences(state, restored)
  const subject = `${backup} lacks ${missing.join(', ')}`
  return {
    restored: backup,
    isCompared: true,
    found: missing.length === 0 ? [] : [{ code: 'backup-behind', subject }],
  }
}

/** Copies a database with its log. SQLite would create files beside a database that is opened where it is. */
function copyWithLog(from: string, to: string): void {
  for (const suffix of ['', ...logSuffixes]) {
    if (suffix !== '' && statSync(from + suffix, { throwIfNoEntry: false }) === undefined) continue
    copyFileSync(from + suffix, to + suffix)
    // A backup that nobody may write has a copy that SQLite could not open.
    chmodSync(to + suffix, 0o600)
  }
}

/** The rows of the state by table, each as the text that identifies its content. */
type StateRecords = Readonly<Record<'users' | 'links' | 'settings', ReadonlySet<string>>>

/** The columns that tell whether a backup has a record. Counters and times of use may differ. */
const queries = {
  users: 'select username, password_hash, is_admin, is_disabled, doc from user',
  links: 'select digest, user_id, path, password_hash, expires_at_seconds, mode from share',
  settings: "select key, value from setting where key != 'takeover'",
} as const

/** Reads the records of a state. Null for one that the next start will migrate, whose tables may lack columns. */
function recordsIn(database: ReadableDatabase): StateRecords | null {
  if (versionOf(database) !== migrations.length) return null
  const rowsOf = (query: string) =>
    new Set(
      database
        .prepare(query)
        .all()
        .map((row) => JSON.stringify(row)),
    )
  return { users: rowsOf(queries.users), links: rowsOf(queries.links), settings: rowsOf(queries.settings) }
}

/** Returns what the state has and the backup lacks, such as `2 users`. */
function differences(state: StateRecords, backup: StateRecords): readonly string[] {
  const kinds = Object.keys(queries) as readonly (keyof StateRecords)[]
  return kinds.flatMap((kind) => {
    const count = [...state[kind]].filter((row) => !backup[kind].has(row)).length
    return count === 0 ? [] : [`${count} of the ${kind}`]
  })
}
