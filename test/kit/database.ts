import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'

/** The path or URL of a test database, which is removed at the end of the test or by `remove`. */
export type TestDatabase = { readonly database: string; readonly remove: () => Promise<void> }

/**
 * Creates an empty database. In the suite with a PostgreSQL server, the database is a schema of that server. In all
 * other suites, it is a file in the folder.
 */
export async function databaseIn(folder: string): Promise<TestDatabase> {
  const socket = inject('postgres') as string | undefined
  if (socket === undefined) return { database: path.join(folder, 'stowage.db'), remove: async () => {} }
  const schema = `s${randomBytes(8).toString('hex')}`
  await runOnServer(socket, `create schema ${schema}`)
  return {
    database: databaseUrlOf(socket, { options: `-c search_path=${schema}` }),
    remove: () => runOnServer(socket, `drop schema ${schema} cascade`),
  }
}

/**
 * Creates an empty schema on the run's PostgreSQL server for the duration of a test. Returns the URL of its
 * database.
 */
export async function createSchema(): Promise<string> {
  const { database, remove } = await databaseIn('')
  onTestFinished(remove)
  return database
}

/** Returns a database URL on the run's PostgreSQL server. `socket` is the folder of its socket. */
export function databaseUrlOf(
  socket: string,
  { user = 'stowage', name = 'postgres', ...query }: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams({ host: socket, user, ...query })
  return `postgres:///${name}?${parameters.toString().replaceAll('+', '%20')}`
}

/** Runs one SQL statement on the PostgreSQL server, outside of the schemas of the tests. */
export async function runOnServer(socket: string, statement: string): Promise<void> {
  await queryRows(databaseUrlOf(socket), statement)
}

/** Runs one SQL statement over a separate connection and returns the resulting rows. */
export async function queryRows(
  database: string,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: database })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}
