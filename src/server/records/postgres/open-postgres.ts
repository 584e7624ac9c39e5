import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Opened, Opening } from '../opening.ts'
import type { Tables } from '../tables.ts'
import { migratingPatience, postgresDialect, servingPatience, type Patience } from './postgres-dialect.ts'

/**
 * A database on a PostgreSQL server, in the first schema of its search path. There is no copy before a migration: a step that fails
 * leaves everything as it was, and what is to be kept for long the server's own tools copy.
 */
export async function openPostgres(wish: Opening): Promise<Opened> {
  const migrating = connect(wish.database, migratingPatience)
  try {
    await migrate(migrating, { ...wish, keepCopy: async () => {} })
  } finally {
    await migrating.destroy()
  }
  return { database: connect(wish.database, servingPatience), asFile: null }
}

/** Connects when something is asked for the first time. */
const connect = (address: string, patience: Patience): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: postgresDialect(address, patience) })
