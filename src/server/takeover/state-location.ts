import { constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { readMounts } from '../config/mounts.ts'
import { takenOverSuffix } from '../config/state-paths.ts'
import { accessCode } from '../records/file/access-code.ts'
import { isSqliteFile, logSuffixes } from '../records/file/database-file.ts'
import { accessHint } from './original/access-hint.ts'
import { isBoltFile } from './original/original-file.ts'

/** The place of the state of an installation, and whether it must be taken over from File Browser first. */
export type StateLocation = {
  /** The path of the database file of Stowage, or the URL of a database on a server. */
  readonly database: string
  /** The database of File Browser, which is never written; null for an installation without one. */
  readonly original: string | null
  /**
   * `own`: the state has no other source. `taken-over`: the takeover is complete. `pending`: the file of Stowage does not exist
   * yet.
   */
  readonly status: 'own' | 'taken-over' | 'pending'
  /**
   * True when the state is in the served folder, because a file beside the original one would not last or cannot be
   * created.
   */
  readonly isInServedFolder: boolean
}

/** The folder of the state in the served folder. No request can reach it. */
const stateFolder = '.stowage/state'

/** The database of File Browser, which is read when its state is not beside it. */
export type OriginalFacts = {
  readonly servedFolder: string
  /** Returns true for a state that was made from this database. */
  readonly hasMade: (state: string) => boolean
}

/**
 * Finds the state of an installation whose configuration names `database`. A database of File Browser is recognised by
 * its content. Our own file lies beside it, or in the served folder when the original is mounted as a single file or its
 * folder cannot be written. A state in the served folder stays in use when its folder can be written later, because
 * another takeover would bring back old passwords. Nothing is created.
 */
export function locateState(database: string, readOriginal: () => OriginalFacts): StateLocation {
  const own: StateLocation = { database, original: null, status: 'own', isInServedFolder: false }
  if (isDatabaseUrl(database)) return own
  const beside = `${database}${takenOverSuffix}`
  if (!isBoltFile(database)) {
    const isReplaced = existsSync(beside) && isSqliteFile(beside) && !hasContent(database)
    return isReplaced ? { ...own, database: beside, status: 'taken-over' } : own
  }
  const found = { ...own, original: database }
  if (isExistingState(beside)) return { ...found, database: beside, status: 'taken-over' }
  const { servedFolder, hasMade } = readOriginal()
  const inside = join(servedFolder, stateFolder, `${basename(database)}${takenOverSuffix}`)
  requireAccess(inside, constants.R_OK)
  // Whoever can write to the served folder could put another state there, which must not stop the takeover.
  if (isLastingFolder(database) && !(isSqliteFile(inside) && hasMade(inside)))
    return { ...found, database: beside, status: 'pending' }
  const status = isExistingState(inside) ? 'taken-over' : 'pending'
  return { ...found, database: inside, status, isInServedFolder: true }
}

/** Returns true for a database file, and false for a missing file. Throws `unsupported` for anything else. */
function isExistingState(file: string): boolean {
  requireAccess(file, constants.R_OK)
  if (!existsSync(file)) return false
  if (isSqliteFile(file)) return true
  throw new AppError('unsupported', { reason: `${file} is not a database; move it away, and start again` })
}

/**
 * Throws `unavailable`, with advice for the operator, when this process cannot access the state or cannot find out whether
 * it exists. A second takeover would restore old passwords. `mode` is a sum of the access constants of `node:fs`.
 */
export function requireAccess(state: string, mode: number): void {
  const code = accessCode(state, mode)
  if (code === null || code === 'ENOENT' || code === 'ENOTDIR') return
  throw new AppError('unavailable', {
    reason: `the state ${state} cannot be ${mode === constants.R_OK ? 'read' : 'written'} (${code})${accessHint(code, state)}`,
  })
}

/**
 * Returns true for a state file that others may read or write. Stowage never creates such a file, so somebody else may
 * have put it there while the folder of the database was served.
 */
export const isOpenToOthers = (database: string): boolean =>
  ((statSync(database, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0

/**
 * Throws `unsupported` for a log beside a state that SQLite did not create for it: a symbolic link, or a file that more
 * people can access or that has another owner. SQLite would write the content of the log into the state. It creates its logs
 * with the mode and the owner of the database.
 */
export function refuseForeignLogs(database: string): void {
  const state = statSync(database, { throwIfNoEntry: false })
  if (state === undefined) return
  for (const suffix of logSuffixes) {
    const log = lstatSync(database + suffix, { throwIfNoEntry: false })
    if (log === undefined || (log.isFile() && log.size === 0)) continue
    const isOwn = log.isFile() && log.uid === state.uid && (log.mode & ~state.mode & 0o077) === 0
    if (!isOwn)
      throw new AppError('unsupported', {
        reason: `${database}${suffix} may not be a file of Stowage, because others can access it; move it away, and start again`,
      })
  }
}

const hasContent = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * Returns true when a file beside the database lasts as long as the database. When the database is mounted into a
 * container as a single file, its folder belongs to the container, and files in the folder are lost with the container.
 */
function isLastingFolder(database: string): boolean {
  const real = realpathSync(database)
  if (readMounts().some(({ point }) => point === real)) return false
  return accessCode(dirname(database), constants.W_OK | constants.X_OK) === null
}

/**
 * Throws `unsupported` when the state file, or a part of its path in the served folder, is a symbolic link. People who
 * can write to the folder could otherwise choose where the state lies.
 */
export function refuseLinkedState({
  database,
  isInServedFolder,
}: Pick<StateLocation, 'database' | 'isInServedFolder'>): void {
  const state = dirname(database)
  const linked = [...(isInServedFolder ? [dirname(state), state] : []), database].find(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true,
  )
  if (linked !== undefined)
    throw new AppError('unsupported', { reason: `${linked} is a symbolic link; remove it, and start again` })
}
