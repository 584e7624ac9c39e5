import type { Migration } from './migration.ts'

/** Creates the table of the audit log. Ids grow with time, and the index finds the ids of a time. */
export const auditEvents: Migration = {
  name: 'audit events',
  async up({ schema }, { text, integer, generatedId }) {
    await schema
      .createTable('audit_event')
      .addColumn('id', integer, generatedId)
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('action', text, (column) => column.notNull())
      .addColumn('outcome', text, (column) => column.notNull())
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('user_id', integer)
      .addColumn('username', text, (column) => column.notNull())
      .addColumn('session', text, (column) => column.notNull())
      .addColumn('address', text, (column) => column.notNull())
      .addColumn('target', text, (column) => column.notNull())
      .addColumn('destination', text, (column) => column.notNull())
      .addColumn('details', text, (column) => column.notNull())
      .execute()
    await schema.createIndex('audit_event_at').on('audit_event').column('at').execute()
  },
}
