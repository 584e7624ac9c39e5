import type { Migration } from './migration.ts'

/**
 * Adds the limits of upload-only shares, and the table of the files that guests have sent to them. Older programs refuse
 * to open the database, because they would show guests of an upload-only share what is in the folder.
 */
export const receivedFiles: Migration = {
  name: 'received files',
  async up({ schema }, { text }) {
    for (const name of ['max_files', 'max_bytes'])
      await schema
        .alterTable('share')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    await schema
      .createTable('received_file')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('share_digest', text, (column) =>
        column.notNull().references('share.digest').onDelete('cascade'),
      )
      .addColumn('upload_id', text, (column) => column.notNull())
      .addColumn('path', text, (column) => column.notNull())
      .addColumn('guest', text, (column) => column.notNull())
      .addColumn('note', text, (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('received_at', 'bigint')
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('received_file_share')
      .on('received_file')
      .columns(['share_digest', 'received_at'])
      .execute()
  },
}
