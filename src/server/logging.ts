import { closeSync, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'

/** The log of the server. `write` never throws, so that requests do not fail when the disk is full. */
export type ServerLog = {
  readonly write: (line: string) => void
  readonly close: () => void
}

/** The size at which a log file is rotated: 100 MiB (contract 14.1). */
const maxFileBytes = 100 * 1024 * 1024
const maxBackups = 10
/**
 * The age at which rotated files are removed: 14 days. They contain user names, which should not be kept longer than
 * necessary.
 */
const backupLifetimeMs = 14 * 24 * 3_600_000

/**
 * Opens the log. The target is `stdout`, `stderr`, the path of a file, or an empty string for no log. Only the owner
 * can read a log file, because it contains the names of users and of their files.
 */
export function openLog(target: string, nowMs: () => number): ServerLog {
  if (target === '') return { write: () => {}, close: () => {} }
  if (target === 'stdout' || target === 'stderr') {
    const stream = process[target]
    return { write: (line) => void stream.write(`${line}\n`), close: () => {} }
  }
  return openLogFile(target, nowMs)
}

function openLogFile(file: string, nowMs: () => number): ServerLog {
  const open = (): number => openSync(file, 'a', 0o600)
  let descriptor = open()
  let sizeBytes = fstatSync(descriptor).size
  removeExpiredBackups(file, nowMs())

  const rotate = (): void => {
    closeSync(descriptor)
    shiftBackups(file)
    removeExpiredBackups(file, nowMs())
    descriptor = open()
    sizeBytes = 0
  }

  return {
    write(line) {
      try {
        if (sizeBytes >= maxFileBytes) rotate()
        sizeBytes += writeSync(descriptor, `${line}\n`)
      } catch {
        // The error is ignored, for example when the disk is full, because a request must not fail when its log line
        // cannot be written.
      }
    },
    close: () => closeSync(descriptor),
  }
}

/** Renames `file` to `file.1`, `file.1` to `file.2`, and so on. The oldest file is overwritten. */
function shiftBackups(file: string): void {
  for (let n = maxBackups; n > 0; n -= 1) {
    try {
      renameSync(n === 1 ? file : `${file}.${n - 1}`, `${file}.${n}`)
    } catch {
      // A rotated log file with this suffix does not exist yet, so the error is ignored.
    }
  }
}

/**
 * Removes expired rotated files. The modification time of a rotated file is the time of its last line, because nothing
 * is written to the file after its rotation.
 */
function removeExpiredBackups(file: string, atMs: number): void {
  for (let n = 1; n <= maxBackups; n += 1) {
    try {
      const { mtimeMs } = statSync(`${file}.${n}`)
      if (atMs - mtimeMs > backupLifetimeMs) rmSync(`${file}.${n}`)
    } catch {
      // The file does not exist, or this process may not remove it.
    }
  }
}
