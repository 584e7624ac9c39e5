import { closeSync, constants, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { AppError } from '../../../shared/domain/failure.ts'

/** Other holders keep a lock for a few milliseconds, so 100 attempts in 2 s are plenty. */
const [attempts, retryMs] = [100, 20]

const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW

/**
 * Locks a file against other processes until `close` is called or this process ends. Throws `unavailable` when the lock
 * cannot be had. SQLite is used for its lock, because Node offers none. The file is created when it is missing, and it
 * is not removed, because another process may wait for its lock. Throws `unsupported` for a symbolic link, which somebody else may
 * have put into the folder: the file would be created wherever the link leads.
 */
export async function lockFile(file: string): Promise<{ readonly close: () => void }> {
  const address = pathToFileURL(file)
  address.searchParams.set('mode', 'rw')
  let failure: unknown
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      closeSync(openSync(file, flags, 0o600))
      // SQLite itself creates no file, and follows a link only to a file that exists. It writes nothing for a lock.
      const database = new DatabaseSync(address)
      database.exec('begin exclusive')
      return database
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ELOOP')
        throw new AppError('unsupported', {
          cause: thrown,
          reason: `${file} is a symbolic link; remove it, and start again`,
        })
      failure = thrown
      await pause(retryMs)
    }
  }
  throw new AppError('unavailable', {
    cause: failure,
    reason: `${file} cannot be locked (${String(failure)})`,
  })
}
