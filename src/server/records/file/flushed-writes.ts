import type { Records } from '../port.ts'

/** Calls by their names, all of which are asked for asynchronously. */
type Store = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/**
 * Records whose writes are answered when they are on the disk. Who failed to log in how often is not worth waiting for.
 */
export function withFlushedWrites(records: Records, flush: () => Promise<void>): Records {
  const flushed = <T>(store: T): T => flushedStore(store as Store, flush) as T
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

/** Reads wait, too, for what was written before: nobody is told of what could still be lost. */
const flushedStore = (store: Store, flush: () => Promise<void>): Store =>
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
