import type { Migration } from './migration.ts'

/**
 * Adds the name that guests see as the sender of a share. The shares that exist show none. A server of the version before this one, which
 * still runs on the database, stores shares without the column.
 */
export const shareSenders: Migration = {
  name: 'share senders',
  async up({ schema }, { text }) {
    await schema
      .alterTable('share')
      .addColumn('sender_name', text, (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
