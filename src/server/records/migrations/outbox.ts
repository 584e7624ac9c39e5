import type { Migration } from './migration.ts'

/**
 * Creates the tables with which servers on several machines tell each other what they change. Servers of a database file do
 * not use them.
 */
export const outbox: Migration = {
  name: 'outbox',
  async up({ schema }, { text, integer }) {
    await schema
      .createTable('server')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('outbox')
      .addColumn('server', text, (column) => column.notNull())
      .addColumn('number', integer, (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('messages', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('outbox_pk', ['server', 'number'])
      .execute()
    await schema.createIndex('outbox_at').on('outbox').column('at').execute()
  },
}
