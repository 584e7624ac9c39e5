import type { Migration } from './migration.ts'

/**
 * Adds what guests may do with a share. Guests of the shares that exist may download, as before. Older programs refuse to
 * open the database, because they would let guests of every share download.
 */
export const shareModes: Migration = {
  name: 'share modes',
  async up({ schema }, { text }) {
    await schema
      .alterTable('share')
      .addColumn('mode', text, (column) => column.notNull().defaultTo('download'))
      .execute()
  },
}
