import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { areOfState, hasTables } from '../records/file/database-facts.ts'
import { isDatabaseFile, isSqliteFile } from '../records/file/database-file.ts'

/** The names of unfinished copies and of former databases, which are no backups. */
const otherNames = /\.(?:unfinished|restoring|before-restore)(?:-.*)?$/

/**
 * Returns the newest state in the folder of the backups that is not the database itself, or null. Throws the error of the system
 * when the folder cannot be read. A missing folder counts as empty.
 */
export function newestBackup(databaseFile: string, backups: string): string | null {
  if (statSync(backups, { throwIfNoEntry: false }) === undefined) return null
  const files = readdirSync(backups)
    .filter((name) => !otherNames.test(name))
    .map((name) => join(backups, name))
    // A file may vanish, and a symbolic link may lead nowhere.
    .flatMap((file) => ({ file, modifiedMs: statsOf(file)?.mtimeMs ?? null }))
    .filter((each): each is { file: string; modifiedMs: number } => each.modifiedMs !== null)
    .toSorted((one, other) => other.modifiedMs - one.modifiedMs)
  return files.find(({ file }) => isBackup(file, databaseFile))?.file ?? null
}

function statsOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Returns true for a state other than the database, also for a damaged one. */
function isBackup(file: string, databaseFile: string): boolean {
  try {
    if (!isSqliteFile(file) || isDatabaseFile(file, databaseFile)) return false
    // The tables of a state that was copied together with its log may be in the log only.
    const hasLog = existsSync(`${file}-wal`)
    return hasTables(file, (tables) => areOfState(tables) || (tables.size === 0 && hasLog))
  } catch {
    // A file that cannot be read is a backup of another user.
    return false
  }
}

/** Returns the folder in which backups are searched for unless another one is named: that of the database. */
export const usualBackups = (databaseFile: string): string => dirname(databaseFile)
