import * as fs from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * The log of the server. `write` never throws and never waits, so that requests do not fail or wait when the disk is full
 * or slow, or when nobody reads the log. Lines are written in the order of the calls.
 */
export type ServerLog = {
  readonly write: (line: string) => void
  /** Opens a log file again, after another program has renamed it. Earlier lines are in the former file. */
  readonly reopen: () => void
  /** Resolves when all lines before the call have been written or dropped, and after a second at the latest. */
  readonly flush: () => Promise<void>
  /** Flushes and closes the log. */
  readonly close: () => Promise<void>
}

export type LogOptions = {
  readonly nowMs: () => number
  /** Returns the line that stands for lines that were dropped. */
  readonly droppedLine?: (count: number) => string
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
 * The characters of the lines that wait to be written: 4 Mi. They are some ten thousand usual lines, which an attacked
 * server writes within seconds. Further lines are dropped and counted.
 */
const maxWaitingCharacters = 4 * 1024 * 1024
/** The characters that are written with one call, so that a burst of lines needs few calls. */
const maxCharactersPerWrite = 256 * 1024
/** The time in milliseconds for which the end of the server waits for lines that nobody reads. */
const flushTimeoutMs = 1000
/** The time in milliseconds after which a terminal that is stopped is written to again. */
const retryMs = 50
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

/** The place to which a log is written. */
type LogSink = {
  /** Writes lines. Returns the number of bytes that were written, which is not all when an error prevents it. */
  readonly write: (lines: Buffer) => Promise<number>
  readonly reopen: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens the log. The target is `stdout`, `stderr`, the path of a file, or an empty string for no log. Only the owner
 * can read a log file, because it contains the names of users and of their files.
 */
export function openLog(target: string, options: LogOptions): ServerLog {
  if (target === '') return noLog
  const sink =
    target === 'stdout' || target === 'stderr' ? openStandardStream(target) : openLogFile(target, options)
  return createLineQueue(sink, options)
}

const noLog: ServerLog = { write: () => {}, reopen: () => {}, flush: async () => {}, close: async () => {} }

const missingLines = (count: number): string =>
  `Warning: ${count} ${count === 1 ? 'line is' : 'lines are'} missing here, because the log could not be written in time`

/** Creates a log whose lines wait in memory while earlier lines are written. */
function createLineQueue(sink: LogSink, { droppedLine = missingLines }: LogOptions): ServerLog {
  const waiting = createWaitingLines(droppedLine)
  let running: Promise<void> | null = null

  async function writeWaiting(): Promise<void> {
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
      if (next === null) await sink.reopen()
      else waiting.noteWritten(next, await sink.write(next.bytes))
    }
    running = null
  }

  return {
    write(line) {
      waiting.add(shortenLine(line))
      running ??= writeWaiting()
    },
    reopen() {
      waiting.addReopening()
      running ??= writeWaiting()
    },
    flush: () => withinTime(running),
    async close() {
      await withinTime(running)
      await withinTime(sink.close().catch(() => {}))
    },
  }
}

/** Lines that are written with one call, and for each of them the number of lines that it stands for. */
type TakenLines = { readonly bytes: Buffer; readonly counts: readonly number[] }

/** Creates the list of the lines that wait. It drops lines while it is full, and contains their number in their place. */
function createWaitingLines(droppedLine: (count: number) => string) {
  /** A number is a count of dropped lines, and null is a request to open the file again. */
  const entries: (string | number | null)[] = []
  let waitingCharacters = 0
  /** The number of lines that could not be written, for example on a full disk. */
  let lost = 0
  let isLineCut = false

  function takeLines(): TakenLines {
    const counts = lost > 0 ? [lost] : []
    let text = (isLineCut ? '\n' : '') + (lost > 0 ? `${droppedLine(lost)}\n` : '')
    let taken = 0
    for (const entry of entries) {
      if (entry === null || text.length >= maxCharactersPerWrite) break
      text += `${typeof entry === 'number' ? droppedLine(entry) : entry}\n`
      counts.push(typeof entry === 'number' ? entry : 1)
      if (typeof entry === 'string') waitingCharacters -= entry.length
      taken += 1
    }
    entries.splice(0, taken)
    return { bytes: Buffer.from(text), counts }
  }

  return {
    add(line: string): void {
      const last = entries.at(-1)
      if (waitingCharacters < maxWaitingCharacters) {
        entries.push(line)
        waitingCharacters += line.length
      } else if (typeof last === 'number') entries[entries.length - 1] = last + 1
      else entries.push(1)
    },
    addReopening: (): void => void entries.push(null),
    /** Returns the next lines, null when the file is to be opened again, and undefined when nothing waits. */
    take: (): TakenLines | null | undefined =>
      typeof entries[0] === 'string' || typeof entries[0] === 'number'
        ? takeLines()
        : (entries.shift() as null | undefined),
    /** Must be called after lines were taken, with the number of their bytes that were written. */
    noteWritten({ bytes, counts }: TakenLines, writtenBytes: number): void {
      const written = bytes.subarray(isLineCut ? 1 : 0, writtenBytes)
      const wholeLines = written.filter((byte) => byte === newline).length
      lost = counts.slice(wholeLines).reduce((sum, count) => sum + count, 0)
      if (writtenBytes > 0) isLineCut = bytes[writtenBytes - 1] !== newline
    },
  }
}

const newline = 10

/** Waits for some work, but not for longer than the end of the server may take. */
async function withinTime(work: Promise<void> | null): Promise<void> {
  const timeout = new AbortController()
  const late = pause(flushTimeoutMs, undefined, { signal: timeout.signal }).catch(() => {})
  await Promise.race([work, late])
  timeout.abort()
}

const shortenLine = (line: string): string =>
  line.length <= maxLineCharacters
    ? line
    : `${line.slice(0, maxLineCharacters)}... [${line.length} characters]`

const nothing = async (): Promise<void> => {}

/**
 * Opens a standard stream. Node writes to pipes and sockets without waiting. It would wait for files and terminals, so
 * their descriptors are written to in Node's thread pool.
 */
function openStandardStream(name: 'stdout' | 'stderr'): LogSink {
  const stream = process[name]
  const descriptor = descriptorOf(stream)
  const writeToStream = (lines: Buffer): Promise<number> =>
    new Promise((resolve) => stream.write(lines, (error) => resolve(error ? 0 : lines.length)))
  return {
    write: (lines) => (descriptor === null ? writeToStream(lines) : writeAll(descriptor, lines)),
    reopen: nothing,
    close: nothing,
  }
}

/** Returns the descriptor of a file or terminal, to which Node would write synchronously. Null for anything else. */
function descriptorOf({ fd, isTTY }: NodeJS.WriteStream & { readonly fd: number }): number | null {
  if (!isTTY) return fs.fstatSync(fd).isFile() ? fd : null
  try {
    // The terminal is opened again, so that writing to it never waits while it is stopped. The original descriptor is
    // shared with other programs, which expect it to wait.
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants
    return fs.openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return null
  }
}

const [open, close, fstat] = [promisify(fs.open), promisify(fs.close), promisify(fs.fstat)]
const write = promisify(fs.write)

/** Writes to a descriptor (`LogSink.write`). Waits while a terminal accepts no more. */
async function writeAll(descriptor: number, lines: Buffer): Promise<number> {
  let written = 0
  while (written < lines.length) {
    try {
      const { bytesWritten } = await write(descriptor, lines, written, lines.length - written, null)
      written += bytesWritten
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') break
      await pause(retryMs)
    }
  }
  return written
}

function openLogFile(file: string, { nowMs }: LogOptions): LogSink {
  let descriptor = fs.openSync(file, 'a', 0o600)
  let sizeBytes = fs.fstatSync(descriptor).size
  let checkedAtMs = nowMs()
  const removed = removeExpiredBackups(file, nowMs())

  const reopen = async (): Promise<void> => {
    const former = descriptor
    descriptor = await open(file, 'a', 0o600)
    await close(former)
    sizeBytes = (await fstat(descriptor)).size
  }

  /** Opens the file again when another program has renamed it, and reads its size again, which others may have cut. */
  const followFile = async (): Promise<void> => {
    checkedAtMs = nowMs()
    const [named, opened] = await Promise.all([stat(file).catch(() => null), fstat(descriptor)])
    sizeBytes = opened.size
    if (named?.ino !== opened.ino || named.dev !== opened.dev) await reopen()
  }

  const rotate = async (): Promise<void> => {
    await rename(file, `${file}${backupSuffixOf(nowMs())}`)
    await removeExpiredBackups(file, nowMs())
    await reopen()
  }

  return {
    async write(lines) {
      try {
        if (Math.abs(nowMs() - checkedAtMs) >= followMs) await followFile()
        if (sizeBytes >= maxFileBytes) await rotate()
      } catch {
        // The error is ignored, for example when this process may not create a file in the folder. The open file is
        // used on.
      }
      const written = await writeAll(descriptor, lines)
      sizeBytes += written
      return written
    },
    // When the file cannot be opened, the open file is used on.
    reopen: () => reopen().catch(() => {}),
    async close() {
      await removed
      await close(descriptor)
    },
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
async function removeExpiredBackups(file: string, atMs: number): Promise<void> {
  const [folder, name] = [dirname(file), basename(file)]
  try {
    const backups = (await readdir(folder)).filter(
      (other) => other.startsWith(name) && backupSuffix.test(other.slice(name.length)),
    )
    for (const [age, backup] of backups.toSorted().toReversed().entries()) {
      const { mtimeMs } = await stat(join(folder, backup))
      if (age >= maxBackups || atMs - mtimeMs > backupLifetimeMs) await rm(join(folder, backup))
    }
  } catch {
    // This process may not list the folder or remove the file.
  }
}
