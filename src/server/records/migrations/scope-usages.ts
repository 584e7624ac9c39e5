import type { Migration } from './migration.ts'

/** Creates the tables of the bytes in the scopes of users with a quota, and of the bytes that servers may add to them. */
export const scopeUsages: Migration = {
  name: 'scope usages',
  async up({ schema }, { text, integer }) {
    await schema
      .createTable('scope_usage')
      .addColumn('key', text, (column) => column.primaryKey())
      .addColumn('scope', text, (column) => column.notNull())
      .addColumn('revision', integer, (column) => column.notNull())
      .addColumn('bytes', integer, (column) => column.notNull())
      .addColumn('added', integer, (column) => column.notNull())
      .addColumn('more', integer, (column) => column.notNull())
      .addColumn('less', integer, (column) => column.notNull())
      .addColumn('moves', integer, (column) => column.notNull())
      .addColumn('wanted_until', integer, (column) => column.notNull())
      .addColumn('scans', integer, (column) => column.notNull())
      .addColumn('scanner', text, (column) => column.notNull())
      .addColumn('scan_until', integer, (column) => column.notNull())
      .addColumn('scanned', integer, (column) => column.notNull())
      .addColumn('scanned_at', integer, (column) => column.notNull())
      .addColumn('more_at_scan', integer, (column) => column.notNull())
      .addColumn('less_at_scan', integer, (column) => column.notNull())
      .addColumn('is_disturbed', 'integer', (column) => column.notNull())
      .addColumn('machine', text, (column) => column.notNull())
      .execute()
    await schema
      .createTable('scope_grant')
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('server', text, (column) => column.notNull())
      .addColumn('bytes', integer, (column) => column.notNull())
      .addColumn('is_moving', 'integer', (column) => column.notNull())
      .addColumn('touched_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('scope_grant_key', ['key', 'server'])
      .execute()
  },
}
