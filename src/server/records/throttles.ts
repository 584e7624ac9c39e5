import { holdTable } from './dialect.ts'
import type { Throttles } from './port.ts'
import type { Database } from './tables.ts'

/** The memory of failed logins in the database. */
export const createThrottles = (database: Database, nowMs: () => number): Throttles => ({
  async load() {
    const rows = await database
      .selectFrom('login_throttle')
      .selectAll()
      .where('until', '>', nowMs())
      .execute()
    return rows.map(({ key, fails, until }) => ({ key, fails, untilMs: until }))
  },
  save: (rows) =>
    database.transaction().execute(async (inside) => {
      await holdTable(inside, 'login_throttle')
      await inside.deleteFrom('login_throttle').where('until', '<=', nowMs()).execute()
      for (const { key, fails, untilMs } of rows) {
        await inside.deleteFrom('login_throttle').where('key', '=', key).execute()
        if (fails > 0)
          await inside.insertInto('login_throttle').values({ key, fails, until: untilMs }).execute()
      }
    }),
})
