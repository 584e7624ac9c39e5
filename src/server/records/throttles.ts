import { lockTable } from './sql/dialect.ts'
import type { Database } from './sql/tables.ts'

/** A change of the times that are counted for one key. */
export type CountChange = {
  readonly key: string
  /** Times up to this one no longer count; null when all stored times stay. */
  readonly resetAtMs: number | null
  /** The times that are added. */
  readonly atMs: readonly number[]
  /** The time for which a time counts, in milliseconds. */
  readonly windowMs: number
  /** The number of times that are stored, which are the latest ones. */
  readonly maxTimes: number
}

/**
 * The store of the times at which something happened that is limited, such as failed logins from a client address. All
 * servers of the state count together, and a restart does not reset the limits.
 */
export type ThrottleStore = {
  /** Returns the stored times of a key in ascending order, including times of the future when a clock was ahead. */
  timesOf(key: string): Promise<readonly number[]>
  /** Makes all changes in one transaction. Stored times of the changed keys that lie in the future become the present. */
  count(changes: readonly CountChange[]): Promise<void>
}

/** Creates the store of the times that are counted for limits, such as those of failed logins. */
export const createThrottles = (database: Database, nowMs: () => number): ThrottleStore => ({
  timesOf: async (key) => (await readTimes(database, [key])).get(key) ?? [],
  count: (changes) =>
    database.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'login_throttle')
      const keys = changes.map(({ key }) => key)
      const times = await readTimes(transaction, keys)
      for (const change of changes)
        times.set(change.key, timesAfter(change, times.get(change.key) ?? [], nowMs()))
      await transaction
        .deleteFrom('login_throttle')
        .where((expression) =>
          expression.or([
            expression('until', '<=', nowMs()),
            ...keys.map((key) => expression('key', '=', key)),
          ]),
        )
        .execute()
      const windows = new Map(changes.map(({ key, windowMs }) => [key, windowMs]))
      const rows = [...times].flatMap(([key, own]) => rowOf(key, own, windows.get(key) ?? 0))
      if (rows.length > 0) await transaction.insertInto('login_throttle').values(rows).execute()
    }),
})

/** Returns the times of those of the keys that are stored. */
async function readTimes(
  database: Database,
  keys: readonly string[],
): Promise<Map<string, readonly number[]>> {
  // PostgreSQL refuses an empty list.
  if (keys.length === 0) return new Map()
  const rows = await database
    .selectFrom('login_throttle')
    .select(['key', 'times'])
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(({ key, times }) => [key, JSON.parse(times) as readonly number[]]))
}

function timesAfter(
  { resetAtMs, atMs, windowMs, maxTimes }: CountChange,
  stored: readonly number[],
  nowMs: number,
): readonly number[] {
  const kept = resetAtMs === null ? stored : stored.filter((timeMs) => timeMs > resetAtMs)
  return [...kept, ...atMs]
    .map((timeMs) => Math.min(timeMs, nowMs))
    .filter((timeMs) => timeMs > nowMs - windowMs)
    .toSorted((one, other) => one - other)
    .slice(-maxTimes)
}

/** Returns the row of a key, or no row when no time counts. */
function rowOf(key: string, times: readonly number[], windowMs: number) {
  const last = times.at(-1)
  return last === undefined
    ? []
    : [{ key, fails: times.length, until: last + windowMs, times: JSON.stringify(times) }]
}
