import { open } from 'node:fs/promises'
import { AppError } from '../../../shared/domain/failure.ts'

/** Flushes what was written to a database of SQLite's. */
export type LogFlush = {
  /** To be called with every statement of ours. */
  heard(statement: string): void
  /** Resolves when all is on the disk that was written so far; rejects with `unavailable`. */
  readonly flush: () => Promise<void>
}

/** Statements that write nothing, or nothing that counts yet. */
const isIdle = /^\s*(?:select|pragma|explain|begin|rollback)\b/iu

/**
 * SQLite does not flush its log with each commit (`synchronous = normal`: docs/decisions, 33), since it would do so in the thread that asks.
 * Here it is flushed in another one, once for all who came meanwhile.
 */
export function createLogFlush(file: string): LogFlush {
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
    heard(statement) {
      if (!isIdle.test(statement)) written += 1
    },
    async flush() {
      const upTo = written
      while (flushed < upTo) await (running ??= flushNow())
    },
  }
}

/** There is none where all of it has gone into the database, which is flushed before that is done. */
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
