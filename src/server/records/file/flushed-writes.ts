import type { ServerRecords } from '../port.ts'

/** An object whose members are all asynchronous functions. */
type AsyncStore = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/**
 * Wraps records so that a write resolves once it is on the disk. Counts of failed logins are not flushed, because a
 * crash may lose them and a flush would delay each login.
 */
export function withFlushedWrites(records: ServerRecords, flush: () => Promise<void>): ServerRecords {
  const flushed = <T>(store: T): T => flushedStore(store as AsyncStore, flush) as T
  return {
    ...records,
    users: flushed(records.users),
    shares: flushed(records.shares),
    receivedFiles: flushed(records.receivedFiles),
    sessions: flushed(records.sessions),
    settings: flushed(records.settings),
    uploads: flushed(records.uploads),
    async setUp(initial) {
      const isStored = await records.setUp(initial)
      await flush()
      return isStored
    },
    async addAccounts(request) {
      const users = await records.addAccounts(request)
      await flush()
      return users
    },
  }
}

/**
 * Wraps a store so that each method flushes earlier writes before it resolves. This includes reads, so that no caller
 * sees a change that a crash could still undo.
 */
const flushedStore = (store: AsyncStore, flush: () => Promise<void>): AsyncStore =>
  Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      async (...args: never[]) => {
        const result = await method(...args)
        await flush()
        return result
      },
    ]),
  )
