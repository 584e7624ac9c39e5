import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../shared/domain/failure.ts'
import { isSqliteFile, sideFileSuffixes } from '../records/file/database-file.ts'
import { restoreRecords } from '../records/restore.ts'
import type { FoundOnMachine } from './check-machine.ts'
import { readDatabase } from '../records/file/database-facts.ts'

export type DeepCheckOptions = {
  readonly databaseFile: string
  /** The folder of the backups. */
  readonly backups: string
  readonly nowMs: () => number
}

/** The outcome of the deep check. `backup` is the file that was restored, or null when there was none. */
export type DeepCheckResult = { readonly backup: string | null; readonly found: readonly FoundOnMachine[] }

/**
 * Restores the newest backup into a temporary folder beside the database, which only the server can enter, and compares it
 * with the state. The folder is removed afterwards; the backup and the state stay as they are.
 */
export async function deepCheck(options: DeepCheckOptions): Promise<DeepCheckResult> {
  const { databaseFile, backups, nowMs } = options
  const backup = newestBackup(options)
  if (backup === null) return { backup, found: [{ code: 'backup-missing', subject: backups }] }
  const folder = mkdtempSync(`${databaseFile}.doctor-`)
  try {
    const restored = join(folder, 'restored.db')
    await restoreRecords({ from: backup, file: restored, formerCopy: null, nowMs })
    const missing = differences(recordsIn(databaseFile), recordsIn(restored))
    const subject = `${backup} lacks ${missing.join(', ')}`
    return { backup, found: missing.length === 0 ? [] : [{ code: 'backup-behind', subject }] }
  } catch (thrown) {
    const reason = thrown instanceof AppError ? (thrown.reason ?? thrown.code) : (thrown as Error).message
    return { backup, found: [{ code: 'backup-damaged', subject: `${backup}: ${reason}` }] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the newest SQLite file in the folder of the backups that is neither the database nor a file of a running copy. */
function newestBackup({ databaseFile, backups }: DeepCheckOptions): string | null {
  const own = ['', ...sideFileSuffixes].map((suffix) => databaseFile + suffix)
  const files = namesIn(backups)
    .filter((name) => !/\.(unfinished|restoring)$/.test(name))
    .map((name) => join(backups, name))
    .filter((file) => !own.includes(file) && isBackup(file))
    .map((file) => ({ file, modifiedMs: statSync(file).mtimeMs }))
  return files.toSorted((one, other) => other.modifiedMs - one.modifiedMs)[0]?.file ?? null
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns true for a database of Stowage, also for a damaged one, which only its name and its place show. */
function isBackup(file: string): boolean {
  try {
    return isSqliteFile(file)
  } catch {
    // A file that cannot be read is a backup of another user.
    return false
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

const recordsIn = (file: string): StateRecords =>
  readDatabase(file, (database) => {
    const rowsOf = (query: string) =>
      new Set(
        database
          .prepare(query)
          .all()
          .map((row) => JSON.stringify(row)),
      )
    return { users: rowsOf(queries.users), links: rowsOf(queries.links), settings: rowsOf(queries.settings) }
  })

/** Returns what the state has and the backup lacks, such as `2 users`. */
function differences(state: StateRecords, backup: StateRecords): readonly string[] {
  const kinds = Object.keys(queries) as readonly (keyof StateRecords)[]
  return kinds.flatMap((kind) => {
    const count = [...state[kind]].filter((row) => !backup[kind].has(row)).length
    return count === 0 ? [] : [`${count} of the ${kind}`]
  })
}

/** Returns the folder in which backups are searched for unless another one is named: that of the database. */
export const usualBackups = (databaseFile: string): string => dirname(databaseFile)
