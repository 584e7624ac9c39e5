import type { Migration } from './migration.ts'

/**
 * Adds to each user whether all sessions of the user were ended once. Tokens that File Browser issued to such a user, and
 * that no session was opened for, are refused from then on. Older programs refuse to open the database, because they
 * would accept these tokens.
 */
export const oldTokens: Migration = {
  name: 'old tokens',
  async up({ schema }, { integer }) {
    await schema
      .alterTable('user')
      .addColumn('refuses_old_tokens', integer, (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
