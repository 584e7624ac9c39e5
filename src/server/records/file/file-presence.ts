import { statSync } from 'node:fs'
import { AppError } from '../../../shared/domain/failure.ts'

/** Notices that the file of an open database, or the write-ahead log beside it, was removed or replaced. */
export type FilePresence = {
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
  const paths = [file, `${file}-wal`]
  const opened = paths.map(identityOf)
  const reason = `the database file ${file} was removed or replaced while the server was running`
  let wasPresent = true

  function isPresent(): boolean {
    const present = paths.every((path, index) => opened[index] === null || isSame(path, opened[index]!))
    if (present !== wasPresent)
      log?.(
        present
          ? `The database file ${file} is back`
          : `Error: ${reason}; nothing is stored any more: put the same file back, or restore a backup and restart`,
      )
    return (wasPresent = present)
  }

  const timer = log === undefined ? undefined : setInterval(isPresent, intervalMs).unref()
  return {
    isPresent,
    require() {
      if (!isPresent()) throw new AppError('unavailable', { reason })
    },
    stop: () => clearInterval(timer),
  }
}

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
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false })
  return facts === undefined ? null : `${facts.dev}:${facts.ino}`
}
