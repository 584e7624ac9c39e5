import { closeSync, fstatSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The log of the server. `write` never throws, so that requests do not fail when the disk is full. */
export type ServerLog = {
  readonly write: (line: string) => void
  /** Opens a log file again, after another program has renamed it. */
  readonly reopen: () => void
  readonly close: () => void
}

/** The size at which a log file is rotated: 100 MiB (contract 14.1). */
const maxFileBytes = 100 * 1024 * 1024
const maxBackups = 10
/**
 * The maximum length of a line in characters. The longest usual line contains 64 KiB that a hook has printed. Most lines are
 * limited where they are formatted, and this limit covers all others, such as errors whose messages contain a text of a client.
 */
export const maxLineCharacters = 65 * 1024
/**
 * The age at which rotated files are removed: 14 days. They contain user names, which should not be kept longer than
 * necessary.
 */
const backupLifetimeMs = 14 * 24 * 3_600_000
/**
 * The time in milliseconds after which a line is preceded by a look at the path of the file, which other programs may
 * rename without a signal.
 */
const followMs = 1000

/**
 * Opens the log. The target is `stdout`, `stderr`, the path of a file, or an empty string for no log. Only the owner
 * can read a log file, because it contains the names of users and of their files.
 */
export function openLog(target: string, nowMs: () => number): ServerLog {
  if (target === '') return { write: () => {}, reopen: () => {}, close: () => {} }
  if (target === 'stdout' || target === 'stderr') {
    const stream = process[target]
    return { write: (line) => void stream.write(`${shortenLine(line)}\n`), reopen: () => {}, close: () => {} }
  }
  return openLogFile(target, nowMs)
}

const shortenLine = (line: string): string =>
  line.length <= maxLineCharacters
    ? line
    : `${line.slice(0, maxLineCharacters)}... [${line.length} characters]`

function openLogFile(file: string, nowMs: () => number): ServerLog {
  const open = (): number => openSync(file, 'a', 0o600)
  let descriptor = open()
  let sizeBytes = fstatSync(descriptor).size
  let checkedAtMs = nowMs()
  removeExpiredBackups(file, nowMs())

  const reopen = (): void => {
    const former = descriptor
    descriptor = open()
    closeSync(former)
    sizeBytes = fstatSync(descriptor).size
  }

  /** Opens the file again when another program has renamed it, and reads its size again, which others may have cut. */
  const followFile = (): void => {
    checkedAtMs = nowMs()
    const [named, opened] = [statSync(file, { throwIfNoEntry: false }), fstatSync(descriptor)]
    sizeBytes = opened.size
    if (named?.ino !== opened.ino || named.dev !== opened.dev) reopen()
  }

  const rotate = (): void => {
    renameSync(file, `${file}${backupSuffixOf(nowMs())}`)
    removeExpiredBackups(file, nowMs())
    reopen()
  }

  return {
    write(line) {
      try {
        if (Math.abs(nowMs() - checkedAtMs) >= followMs) followFile()
        if (sizeBytes >= maxFileBytes) rotate()
      } catch {
        // The error is ignored, for example when this process may not create a file in the folder. The open file is
        // used on.
      }
      try {
        sizeBytes += writeSync(descriptor, `${shortenLine(line)}\n`)
      } catch {
        // The error is ignored, for example when the disk is full, because a request must not fail when its log line
        // cannot be written.
      }
    },
    reopen() {
      try {
        reopen()
      } catch {
        // The open file is used on.
      }
    },
    close: () => closeSync(descriptor),
  }
}

/** Returns the ending of a rotated file. Tools such as logrotate use other endings, so their files are left alone. */
const backupSuffixOf = (atMs: number): string =>
  `.stowage-${new Date(atMs).toISOString().replaceAll(/[-:.]/g, '')}`
const backupSuffix = /^\.stowage-\d{8}T\d{9}Z$/

/**
 * Removes expired rotated files, and the oldest ones beyond `maxBackups`. The modification time of a rotated file is the
 * time of its last line, because nothing is written to the file after its rotation.
 */
function removeExpiredBackups(file: string, atMs: number): void {
  const [folder, name] = [dirname(file), basename(file)]
  try {
    const backups = readdirSync(folder).filter(
      (other) => other.startsWith(name) && backupSuffix.test(other.slice(name.length)),
    )
    for (const [age, backup] of backups.toSorted().toReversed().entries()) {
      const { mtimeMs } = statSync(join(folder, backup))
      if (age >= maxBackups || atMs - mtimeMs > backupLifetimeMs) rmSync(join(folder, backup))
    }
  } catch {
    // This process may not list the folder or remove the file.
  }
}
