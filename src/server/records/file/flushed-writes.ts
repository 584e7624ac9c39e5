import type { Records } from '../port.ts'

/** A store all of whose members are asynchronous calls. */
type AsyncCalls = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/**
 * Wraps records so that a write is answered once it is on the disk. Counts of failed logins are not flushed, since they
 * are not worth the wait.
 */
export function withFlushedWrites(records: Records, flush: () => Promise<void>): Records {
  const flushed = <T>(store: T): T => flushedStore(store as AsyncCalls, flush) as T
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
 * Wraps a store. Reads wait for earlier writes as well, so that no answer shows a change that a crash could still undo.
 */
const flushedStore = (store: AsyncCalls, flush: () => Promise<void>): AsyncCalls =>
  Object.fromEntries(
    Object.entries(store).map(([name, call]) => [
      name,
      async (...args: never[]) => {
        const answer = await call(...args)
        await flush()
        return answer
      },
    ]),
  )
