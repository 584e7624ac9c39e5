import type { Migration } from './migration.ts'

/**
 * Creates the table of tickets. A ticket has no foreign key to its session, because a session that could not be stored is
 * in memory.
 */
export const tickets: Migration = {
  name: 'tickets',
  async up({ schema }, { text, integer }) {
    await schema
      .createTable('ticket')
      .addColumn('digest', text, (column) => column.primaryKey())
      .addColumn('user_id', integer, (column) => column.notNull())
      .addColumn('session_id', text, (column) => column.notNull())
      .addColumn('target_digest', text, (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('ticket_user').on('ticket').columns(['user_id', 'session_id']).execute()
    await schema.createIndex('ticket_until').on('ticket').column('until').execute()
  },
}
