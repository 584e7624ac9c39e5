import type { Records } from '../port.ts'

/** A store whose members are all asynchronous functions. */
type AsyncStore = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/**
 * Wraps records so that a write resolves once it is on the disk. Counts of failed logins are not flushed, since a crash
 * may lose them and a flush would slow each login.
 */
export function withFlushedWrites(records: Records, flush: () => Promise<void>): Records {
  const flushed = <T>(store: T): T => flushedStore(store as AsyncStore, flush) as T
  return {
    ...records,
    users: flushed(records.users),
    shares: flushed(records.shares),
    sessions: flushed(records.sessions),
    settings: flushed(records.settings),
    uploads: flushed(records.uploads),
    async setUp(first) {
      const isStored = await records.setUp(first)
      await flush()
      return isStored
    },
  }
}

/**
 * Wraps a store. Reads wait for the flush of earlier writes as well, so that no caller sees a change that a crash could
 * still undo.
 */
const flushedStore = (store: AsyncStore, flush: () => Promise<void>): AsyncStore =>
  Object.fromEntries(
    Object.entries(store).map(([name, call]) => [
      name,
      async (...args: never[]) => {
        const response = await call(...args)
        await flush()
        return response
      },
    ]),
  )
