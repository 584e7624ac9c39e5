import { lockTable } from './sql/dialect.ts'
import type { ThrottleStore } from './port.ts'
import type { Database } from './sql/tables.ts'

/** Creates the store of failure counts, such as those of failed logins. */
export const createThrottles = (database: Database, nowMs: () => number): ThrottleStore => ({
  async load() {
    const rows = await database
      .selectFrom('login_throttle')
      .selectAll()
      .where('until', '>', nowMs())
      .execute()
    return rows.map(({ key, fails, until }) => ({ key, fails, untilMs: until }))
  },
  save: (rows) =>
    database.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'login_throttle')
      await transaction.deleteFrom('login_throttle').where('until', '<=', nowMs()).execute()
      for (const { key, fails, untilMs } of rows) {
        await transaction.deleteFrom('login_throttle').where('key', '=', key).execute()
        if (fails > 0)
          await transaction.insertInto('login_throttle').values({ key, fails, until: untilMs }).execute()
      }
    }),
})
