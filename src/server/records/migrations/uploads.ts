import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Creates the table of uploads that arrive in several requests. Its rows let clients continue their uploads after a
 * restart of the server.
 */
export const uploads: Migration = {
  name: 'uploads',
  async up({ schema }, { text, integer, supportsLongKeys: areLongKeysTaken }) {
    const table = schema
      .createTable('upload')
      .addColumn('user_id', integer, (column) => column.notNull())
      // The path is percent-encoded, because a file name may contain bytes that a database does not accept as text.
      .addColumn('path', text, (column) => column.notNull())
      .addColumn('token', text, (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('overwrite', text, (column) => column.notNull())
      .addColumn('is_done', integer, (column) => column.notNull())
      .addColumn('touched_at', 'bigint', (column) => column.notNull())
    if (areLongKeysTaken) await table.addPrimaryKeyConstraint('upload_key', ['user_id', 'path']).execute()
    else {
      await table.execute()
      await schema
        .createIndex('upload_key')
        .unique()
        .on('upload')
        .expression(sql`user_id, md5(path)`)
        .execute()
    }
    await schema.createIndex('upload_touched').on('upload').column('touched_at').execute()
  },
}
