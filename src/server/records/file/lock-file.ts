import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../../shared/domain/failure.ts'

/** Other holders keep a lock for a few milliseconds, so 100 attempts in 2 s are plenty. */
const [attempts, retryMs] = [100, 20]

/**
 * Locks a file against other processes until `close` is called or this process ends. Throws `unavailable` when the lock
 * cannot be had. SQLite is used for its lock, because Node offers none. The file is created when it is missing, and it
 * is not removed, because another process may wait for its lock.
 */
export async function lockFile(file: string): Promise<{ readonly close: () => void }> {
  let failure: unknown
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      closeSync(openSync(file, 'a', 0o600))
      const database = new DatabaseSync(file)
      database.exec('begin exclusive')
      return database
    } catch (thrown) {
      failure = thrown
      await pause(retryMs)
    }
  }
  throw new AppError('unavailable', {
    cause: failure,
    reason: `${file} cannot be locked (${String(failure)})`,
  })
}
