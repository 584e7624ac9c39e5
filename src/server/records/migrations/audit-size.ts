import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Creates the table with the total size of all events, in its row with the id 1. Sizes are those of `storedBytes`. */
export const auditSize: Migration = {
  name: 'audit size',
  async up(database, { integer }) {
    await database.schema
      .createTable('audit_size')
      .addColumn('id', integer, (column) => column.primaryKey())
      .addColumn('bytes', integer, (column) => column.notNull())
      .execute()
    await sql`insert into audit_size (id, bytes) select 1, coalesce(sum(64 + octet_length(username) + octet_length(session)
      + octet_length(address) + octet_length(target) + octet_length(destination) + octet_length(details)), 0)
      from audit_event`.execute(database)
  },
}
