import { open } from 'node:fs/promises'
import { AppError } from '../../../shared/domain/failure.ts'

/** Flushes the write-ahead log of an SQLite database. */
export type LogFlusher = {
  /** Must be called with every statement of this process. */
  noteStatement(statement: string): void
  /**
   * Resolves when everything that was written before the call is on the disk. Rejects with `unavailable` when the flush
   * fails.
   */
  readonly flush: () => Promise<void>
}

/** Matches statements that commit no change. */
const writesNothing = /^\s*(?:select|pragma|explain|begin|rollback)\b/iu

/**
 * Creates the flusher of a database. SQLite does not flush its log with each commit (`synchronous = normal`:
 * docs/decisions, 33), since this would block the main thread. The flush runs in a thread of Node's pool instead, and
 * concurrent callers share one flush.
 */
export function createLogFlusher(file: string): LogFlusher {
  let [written, flushed] = [0, 0]
  let running: Promise<void> | null = null

  async function flushNow(): Promise<void> {
    const upTo = written
    try {
      await flushLog(`${file}-wal`)
      flushed = upTo
    } finally {
      running = null
    }
  }

  return {
    noteStatement(statement) {
      if (!writesNothing.test(statement)) written += 1
    },
    async flush() {
      const upTo = written
      while (flushed < upTo) await (running ??= flushNow())
    },
  }
}

/**
 * Flushes a log. A missing log needs no flush: SQLite has copied it into the database, and flushed the database before
 * it removed the log.
 */
async function flushLog(log: string): Promise<void> {
  try {
    await using handle = await open(log, 'r')
    await handle.sync()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT')
      throw new AppError('unavailable', {
        cause: error,
        reason: `the database cannot be flushed (${message})`,
      })
  }
}
