import type { Migration } from './migration.ts'

/** Creates the table of public links. */
export const shareTable: Migration = {
  name: 'shares',
  async up({ schema }, { text, integer, supportsLongKeys: areLongKeysTaken }) {
    await schema
      .createTable('share')
      .addColumn('digest', text, (column) => column.primaryKey())
      .addColumn('hash', text, (column) => column.notNull())
      .addColumn('user_id', integer, (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('path', text, (column) => column.notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('password_hash', text)
      .addColumn('token_digest', text)
      .addColumn('expires_at_seconds', 'bigint', (column) => column.notNull())
      .addColumn('available_from_seconds', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('share_user').on('share').column('user_id').execute()
    const byPath = schema.createIndex('share_path').on('share').column('path')
    await (areLongKeysTaken ? byPath : byPath.using('hash')).execute()
    await schema.createIndex('share_expiry').on('share').column('expires_at_seconds').execute()
  },
}
