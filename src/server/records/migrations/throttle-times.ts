import type { Migration } from './migration.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Returns the longest window of a key's limits before this migration. */
const windowOf = (key: string): number =>
  key.startsWith('account:') || key.startsWith('signup-address:') ? hourMs : minuteMs

/**
 * Stores each time that counts, so that several servers can add to the same count. Before, a row had the number of times and
 * the time at which the last of them expires.
 */
export const throttleTimes: Migration = {
  name: 'throttle times',
  async up(database, { text }) {
    await database.schema
      .alterTable('login_throttle')
      .addColumn('times', text, (column) => column.notNull().defaultTo('[]'))
      .execute()
    const rows = await database.selectFrom('login_throttle').select(['key', 'fails', 'until']).execute()
    for (const { key, fails, until } of rows) {
      const times = JSON.stringify(Array.from({ length: fails }, () => until - windowOf(key)))
      await database.updateTable('login_throttle').set({ times }).where('key', '=', key).execute()
    }
    await database.schema.createIndex('login_throttle_until').on('login_throttle').column('until').execute()
  },
}
