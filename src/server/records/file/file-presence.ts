import { statSync } from 'node:fs'
import { AppError } from '../../../shared/domain/failure.ts'

/** The device and inode of a database file and of the log beside it. Null for a file that did not exist. */
export type DatabaseIdentity = readonly (string | null)[]

/** Notices that the file of an open database, or the write-ahead log beside it, was removed or replaced. */
export type FilePresence = {
  /** The files as they were when the database was opened. */
  readonly opened: DatabaseIdentity
  readonly isPresent: () => boolean
  /** Throws `unavailable` while the file is missing or is another file. A write would be lost at the next start. */
  require(): void
  stop(): void
}

/** The interval in milliseconds at which a server looks whether the file is still there while nothing is written. */
const intervalMs = 2000

/**
 * Remembers which files belong to a database that was just opened. `log` gets one line when the file disappears, and one
 * when the same file is back; without it, only calls of `require` look at the file.
 */
export function createFilePresence(file: string, log?: (line: string) => void): FilePresence {
  const opened = pathsOf(file).map(identityOf)
  let wasPresent = true

  function isPresent(): boolean {
    const present = hasIdentity(file, opened)
    if (present !== wasPresent)
      log?.(
        present
          ? `The database file ${file} is back`
          : `Error: ${missingReason(file)}; nothing is stored any more: put the same file back, or restore a backup and restart`,
      )
    return (wasPresent = present)
  }

  const timer = log === undefined ? undefined : setInterval(isPresent, intervalMs).unref()
  return {
    opened,
    isPresent,
    require() {
      if (!isPresent()) throw missingFileError(file)
    },
    stop: () => clearInterval(timer),
  }
}

/** Throws `unavailable` when a database or the log beside it is missing or is another file. */
export function requireIdentity(file: string, identity: DatabaseIdentity): void {
  if (!hasIdentity(file, identity)) throw missingFileError(file)
}

const hasIdentity = (file: string, identity: DatabaseIdentity): boolean =>
  pathsOf(file).every((path, index) => typeof identity[index] !== 'string' || isSame(path, identity[index]))

const pathsOf = (file: string): readonly string[] => [file, `${file}-wal`]

const missingReason = (file: string): string =>
  `the database file ${file} was removed or replaced while the server was running`

const missingFileError = (file: string): AppError =>
  new AppError('unavailable', { reason: missingReason(file) })

/** Returns false only for a missing or another file. A file that cannot be examined at the moment counts as the same. */
function isSame(path: string, identity: string): boolean {
  try {
    return identityOf(path) === identity
  } catch {
    return true
  }
}

/** Returns a text for the device and the inode of a file; null when it does not exist. */
function identityOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`
}
