import { open } from 'node:fs/promises'
import { AppError } from '../../../shared/domain/failure.ts'

/** Flushes the write-ahead log of an SQLite database. */
export type WriteAheadLogFlusher = {
  /** Must be called with every statement of this thread that may commit a change. */
  noteWrite(): void
  /**
   * Must be called before a change in another thread. The returned function must be called when the change is made or has
   * failed. In between, a reader may see the change, so that each flush counts as one after a write.
   */
  beginWrite(): () => void
  /** Resolves when all writes before the call are on the disk. Rejects with `unavailable` when the flush fails. */
  readonly flush: () => Promise<void>
}

/** Matches statements that do not commit a change. */
export const writesNothing = /^\s*(?:select|pragma|explain|begin|rollback)\b/iu

/**
 * Creates the flusher of a database. SQLite does not flush its log with each commit (`synchronous = normal`:
 * docs/decisions, 33), because the flush would block the main thread. Instead, the flush runs in a thread of Node's
 * thread pool, and concurrent callers share one flush.
 */
export function createLogFlusher(file: string): WriteAheadLogFlusher {
  let [writeCount, flushedCount] = [0, 0]
  let runningWrites = 0
  let running: Promise<void> | null = null

  async function flushNow(): Promise<void> {
    const targetCount = writeCount
    try {
      await flushLog(`${file}-wal`)
      flushedCount = targetCount
    } finally {
      running = null
    }
  }

  return {
    noteWrite: () => void (writeCount += 1),
    beginWrite() {
      runningWrites += 1
      return () => {
        runningWrites -= 1
        writeCount += 1
      }
    },
    async flush() {
      if (runningWrites > 0) writeCount += 1
      const targetCount = writeCount
      while (flushedCount < targetCount) await (running ??= flushNow())
    },
  }
}

/**
 * Flushes a write-ahead log. A missing log needs no flush, because SQLite removes a log only after it has copied it
 * into the database and flushed the database.
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
