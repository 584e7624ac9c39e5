import type { Migration } from './migration.ts'

/**
 * Adds what a share counts: visits and downloads, a limit of downloads, and the received files that its owner has looked at, and
 * the alias beside its hash. A server of the version before this one, which still runs on the database, stores shares without
 * these columns. It does not know aliases and allows any number of downloads.
 */
export const shareUses: Migration = {
  name: 'share uses',
  async up({ schema }, { text, integer }) {
    const alterShare = () => schema.alterTable('share')
    await alterShare()
      .addColumn('alias', text, (column) => column.notNull().defaultTo(''))
      .execute()
    for (const name of ['max_downloads', 'visits', 'downloads', 'tells_of_files', 'seen_files'])
      await alterShare()
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    await schema
      .createTable('share_alias')
      .addColumn('digest', text, (column) => column.primaryKey())
      .addColumn('share_digest', text, (column) => column.notNull())
      .addColumn('user_id', integer, (column) => column.notNull())
      .execute()
    await schema.createIndex('share_alias_user').on('share_alias').column('user_id').execute()
    await schema
      .createTable('share_download')
      .addColumn('share_digest', text, (column) =>
        column.notNull().references('share.digest').onDelete('cascade'),
      )
      .addColumn('client_digest', text, (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('share_download_key', ['share_digest', 'client_digest'])
      .execute()
  },
}
