import type { Migration } from './migration.ts'

/** Creates the tables of users, sessions, settings and failed logins. */
export const firstTables: Migration = {
  name: 'first tables',
  async up({ schema }, { text, integer, generatedId: ownId }) {
    await schema
      .createTable('user')
      .addColumn('id', integer, ownId)
      .addColumn('username', text, (column) => column.notNull().unique())
      .addColumn('name_key', text, (column) => column.notNull().unique())
      .addColumn('password_hash', text, (column) => column.notNull())
      .addColumn('is_admin', integer, (column) => column.notNull())
      .addColumn('is_disabled', integer, (column) => column.notNull())
      .addColumn('doc', text, (column) => column.notNull())
      .addColumn('changed_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('rev', integer, (column) => column.notNull())
      .execute()
    await schema
      .createTable('session')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('user_id', integer, (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('cookie_digest', text, (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('idle_until', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('agent', text, (column) => column.notNull())
      .addColumn('address', text, (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .execute()
    await schema.createIndex('session_user').on('session').columns(['user_id', 'seen_at']).execute()
    await schema.createIndex('session_end').on('session').column('ends_at').execute()
    await schema
      .createTable('session_token')
      .addColumn('jti_digest', text, (column) => column.primaryKey())
      .addColumn('session_id', text, (column) =>
        column.notNull().references('session.id').onDelete('cascade'),
      )
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('session_token_session').on('session_token').column('session_id').execute()
    await schema
      .createTable('setting')
      .addColumn('key', text, (column) => column.primaryKey())
      .addColumn('value', text, (column) => column.notNull())
      .addColumn('rev', integer, (column) => column.notNull())
      .execute()
    await schema
      .createTable('login_throttle')
      .addColumn('key', text, (column) => column.primaryKey())
      .addColumn('fails', integer, (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .execute()
  },
}
