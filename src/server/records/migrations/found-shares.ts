import type { Migration } from './migration.ts'

/**
 * Adds the time at which the entry of an awaited share was found (decision 181). 0 for all other shares. A server of the version
 * before this one, which still runs on the database, stores shares without the column.
 */
export const foundShares: Migration = {
  name: 'found shares',
  async up({ schema }) {
    await schema
      .alterTable('share')
      .addColumn('found_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
