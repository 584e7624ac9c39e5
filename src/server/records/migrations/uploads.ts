import type { Migration } from './migration.ts'

/** Uploads in parts, so that they can be continued after a restart. */
export const uploads: Migration = {
  name: 'uploads',
  async up({ schema }) {
    await schema
      .createTable('upload')
      .addColumn('user_id', 'integer', (column) => column.notNull())
      // Percent-encoded: a name on disk need not be text that a database takes.
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('overwrite', 'text', (column) => column.notNull())
      .addColumn('is_done', 'integer', (column) => column.notNull())
      .addColumn('touched_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('upload_key', ['user_id', 'path'])
      .execute()
    await schema.createIndex('upload_touched').on('upload').column('touched_at').execute()
  },
}
