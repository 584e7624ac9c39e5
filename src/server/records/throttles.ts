import { lockTable } from './sql/dialect.ts'
import type { CountChange, ThrottleStore } from './port.ts'
import type { Database } from './sql/tables.ts'

/** Creates the store of the times that are counted for limits, such as those of failed logins. */
export const createThrottles = (database: Database, nowMs: () => number): ThrottleStore => ({
  timesOf: (key) => readTimes(database, key),
  count: (changes) =>
    database.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'login_throttle')
      await transaction.deleteFrom('login_throttle').where('until', '<=', nowMs()).execute()
      for (const change of changes)
        await writeTimes(
          transaction,
          change,
          timesAfter(change, await readTimes(transaction, change.key), nowMs()),
        )
    }),
})

async function readTimes(database: Database, key: string): Promise<readonly number[]> {
  const row = await database
    .selectFrom('login_throttle')
    .select('times')
    .where('key', '=', key)
    .executeTakeFirst()
  return row === undefined ? [] : (JSON.parse(row.times) as readonly number[])
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

async function writeTimes(
  transaction: Database,
  { key, windowMs }: CountChange,
  times: readonly number[],
): Promise<void> {
  await transaction.deleteFrom('login_throttle').where('key', '=', key).execute()
  const last = times.at(-1)
  if (last === undefined) return
  await transaction
    .insertInto('login_throttle')
    .values({ key, fails: times.length, until: last + windowMs, times: JSON.stringify(times) })
    .execute()
}
