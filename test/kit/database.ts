import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'

/** A place for the state of an installation, which is gone with the test or when it is removed. */
export type DatabasePlace = { readonly database: string; readonly remove: () => Promise<void> }

/** The suite decides which kind: a schema of the run's PostgreSQL server where there is one, else a file in the folder. */
export async function databaseIn(folder: string): Promise<DatabasePlace> {
  const socket = inject('postgres') as string | undefined
  if (socket === undefined) return { database: path.join(folder, 'stowage.db'), remove: async () => {} }
  const schema = `s${randomBytes(8).toString('hex')}`
  await onServer(socket, `create schema ${schema}`)
  return {
    database: addressOf(socket, { options: `-c search_path=${schema}` }),
    remove: () => onServer(socket, `drop schema ${schema} cascade`),
  }
}

/** An empty schema of the run's PostgreSQL server, for the time of a test; the address of a database in it. */
export async function ownSchema(): Promise<string> {
  const { database, remove } = await databaseIn('')
  onTestFinished(remove)
  return database
}

/** An address on the run's PostgreSQL server. */
export function addressOf(
  socket: string,
  { user = 'stowage', name = 'postgres', ...query }: Readonly<Record<string, string>> = {},
): string {
  const words = new URLSearchParams({ host: socket, user, ...query })
  return `postgres:///${name}?${words.toString().replaceAll('+', '%20')}`
}

/** Says something to the server itself. */
export async function onServer(socket: string, statement: string): Promise<void> {
  await ask(addressOf(socket), statement)
}

/** The rows of one statement, over a connection of its own. */
export async function ask(database: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: database })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}
