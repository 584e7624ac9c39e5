import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { isDatabaseUrl } from '../../src/shared/domain/database-url.ts'
import { openRecords } from '../../src/server/records/open-records.ts'

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

/** The bytes of a database file with all tables and no rows. Undefined until a test needs such a file. */
let migratedFile: Promise<Buffer> | undefined

/** Databases with all tables and no rows on the PostgreSQL server, which no test uses at the moment. */
const unusedDatabases: TestDatabase[] = []

/**
 * Creates a database with all tables and no rows. The migrations run once per process and not once per test, because
 * they take most of the time of a test that needs only a few rows.
 */
export async function migratedDatabaseIn(folder: string): Promise<TestDatabase> {
  const unused = unusedDatabases.pop()
  if (unused !== undefined) return unused
  const empty = await databaseIn(folder)
  const { database } = empty
  if (inject('postgres') === undefined) {
    migratedFile ??= createMigratedFile()
    writeFileSync(database, await migratedFile, { mode: 0o600 })
    return empty
  }
  await migrate(database)
  const migrated: TestDatabase = {
    database,
    async remove() {
      await queryRows(database, removeAllRows)
      unusedDatabases.push(migrated)
    },
  }
  return migrated
}

async function createMigratedFile(): Promise<Buffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-migrated-'))
  const database = path.join(folder, 'stowage.db')
  await migrate(database)
  const bytes = readFileSync(database)
  rmSync(folder, { recursive: true })
  return bytes
}

async function migrate(database: string): Promise<void> {
  const records = await openRecords({ database, nowMs: Date.now })
  await records.close()
}

/**
 * Removes the rows of all tables and starts all generated ids again from 1. The tables are not truncated, because
 * PostgreSQL would create new files for all of them and for their indexes.
 */
const removeAllRows = `
do $$
declare statement text;
begin
  -- Without this setting, the order of the tables would matter for foreign keys.
  set local session_replication_role = replica;
  for statement in
    select format('delete from %I', tablename) from pg_tables
    where schemaname = current_schema() and tablename <> 'migration'
    union all
    select format('select setval(%L, 1, false)', sequencename) from pg_sequences where schemaname = current_schema()
  loop
    execute statement;
  end loop;
end $$`

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

/** Runs one SQL statement on a test database, which is a file or on the PostgreSQL server. */
export async function execute(database: string, statement: string): Promise<void> {
  if (isDatabaseUrl(database)) return void (await queryRows(database, statement))
  const file = new DatabaseSync(database)
  file.exec(statement)
  file.close()
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
