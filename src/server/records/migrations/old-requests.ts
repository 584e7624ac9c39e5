import type { Migration } from './migration.ts'

/** Creates the table of the requests that File Browser would have answered differently. */
export const oldRequests: Migration = {
  name: 'old requests',
  async up({ schema }, { text }) {
    await schema
      .createTable('old_request')
      .addColumn('reason', text, (column) => column.notNull())
      .addColumn('route', text, (column) => column.notNull())
      .addColumn('client', text, (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('old_request_key', ['reason', 'route', 'client'])
      .execute()
  },
}
