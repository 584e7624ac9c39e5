import { expect, inject, onTestFinished, test } from 'vitest'
import type { Migration } from '../../src/server/records/migrations/migration.ts'
import { migrations } from '../../src/server/records/migrations/migrations.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import { AppError } from '../../src/shared/domain/failure.ts'
import { databaseUrlOf, queryRows, runOnServer, createSchema } from '../kit/database.ts'
import { historicMigrations } from '../kit/historic-migrations.ts'
import { userFields } from '../kit/records.ts'

const nowMs = () => 1_800_000_000_000
const socket = inject('postgres')

const secondStep: Migration = {
  name: 'a table more',
  async up({ schema }, { text }) {
    await schema.createTable('more').addColumn('name', text).execute()
  },
}
const brokenStep: Migration = {
  name: 'fails half way',
  async up({ schema }) {
    await schema.createTable('half').addColumn('id', 'bigint').execute()
    throw new Error('power cut')
  },
}

async function open(options: Parameters<typeof openRecords>[0]) {
  const records = await openRecords(options)
  onTestFinished(() => records.close())
  return records
}

const tablesOf = async (database: string) =>
  (
    await queryRows(
      database,
      'select tablename from pg_tables where schemaname = current_schema() order by 1',
    )
  ).map(({ tablename }) => tablename)

async function refusalOf(opening: Promise<unknown>) {
  const thrown: unknown = await opening.catch((error: unknown) => error)
  if (!(thrown instanceof AppError)) throw new Error('not refused', { cause: thrown })
  return { code: thrown.code, reason: thrown.reason ?? '' }
}

test('stored records exist after closing and opening', async () => {
  const database = await createSchema()
  const first = await openRecords({ database, nowMs })
  const ann = await first.users.add(userFields({ username: 'ann' }))
  await first.close()
  expect(await (await open({ database, nowMs, ifMissing: 'refuse' })).users.list()).toEqual([ann])
})

test('an empty database is refused where records must exist, and stays empty', async () => {
  const database = await createSchema()
  expect((await refusalOf(openRecords({ database, nowMs, ifMissing: 'refuse' }))).code).toBe('not-found')
  expect(await tablesOf(database)).toEqual([])
})

test('several connections that open an empty database concurrently set it up once', async () => {
  const database = await createSchema()
  await Promise.all(Array.from({ length: 5 }, () => open({ database, nowMs })))
  expect(await queryRows(database, 'select version from migration order by version')).toHaveLength(
    migrations.length,
  )
})

test('several connections that migrate a database concurrently migrate it once and keep its records', async () => {
  const database = await createSchema()
  const ann = await (await open({ database, nowMs })).users.add(userFields({ username: 'ann' }))
  const newer = { database, nowMs, migrations: [...migrations, secondStep] }
  const opened = await Promise.all(Array.from({ length: 5 }, () => open(newer)))
  expect(await opened[4]?.users.list()).toEqual([ann])
  expect(await tablesOf(database)).toContain('more')
})

test('a failed migration leaves the database unchanged', async () => {
  const database = await createSchema()
  const ann = await (await open({ database, nowMs })).users.add(userFields({ username: 'ann' }))
  const before = await tablesOf(database)
  const failing = openRecords({ database, nowMs, migrations: [...migrations, secondStep, brokenStep] })
  await expect(failing).rejects.toThrow('power cut')
  expect(await tablesOf(database)).toEqual(before)
  expect(await (await open({ database, nowMs })).users.list()).toEqual([ann])
})

test.each(historicMigrations)(
  'a database that was created $when is upgraded and keeps its users',
  async ({ list }) => {
    const [database, fresh] = [await createSchema(), await createSchema()]
    await open({ database: fresh, nowMs })
    const ann = await (
      await open({ database, nowMs, migrations: list })
    ).users.add(userFields({ username: 'ann' }))
    expect(await (await open({ database, nowMs })).users.list()).toEqual([ann])
    expect(await tablesOf(database)).toEqual(await tablesOf(fresh))
  },
)

test('a database of a newer version is refused with one line', async () => {
  const database = await createSchema()
  await open({ database, nowMs, migrations: [...migrations, secondStep] })
  expect(await refusalOf(openRecords({ database, nowMs }))).toEqual({
    code: 'unsupported',
    reason: expect.stringMatching(/^a newer version of Stowage wrote the database .*$/),
  })
})

test("another program's tables are refused and untouched", async () => {
  const database = await createSchema()
  await queryRows(database, 'create table migration (theirs int)')
  expect((await refusalOf(openRecords({ database, nowMs }))).code).toBe('unsupported')
  expect(await tablesOf(database)).toEqual(['migration'])
})

test.each([
  [
    'a wrong password',
    databaseUrlOf(socket, { user: 'locked', password: 'hunter2' }),
    /password authentication failed/,
  ],
  ['no password', databaseUrlOf(socket, { user: 'locked' }), /requires a password/],
  ['an unknown database', databaseUrlOf(socket, { name: 'nowhere' }), /"nowhere" does not exist.*createdb/],
  ['an unknown database user', databaseUrlOf(socket, { user: 'nobody' }), /"nobody" does not exist/],
  [
    'a server that is not running',
    'postgres://u:hunter2@127.0.0.1:1/x',
    /cannot be reached \(connect ECONNREFUSED/,
  ],
  ['an unknown host name', 'postgres://u:hunter2@nowhere.invalid/x', /cannot be reached \(getaddrinfo/],
  ['a malformed URL', 'postgres://u:hunter2@[:1/x', /the database URL must have the form postgres:/],
  ['a missing schema', databaseUrlOf(socket, { options: '-c search_path=nowhere' }), /no schema for tables/],
])('%s is reported in one line without the password', async (_case, database, line) => {
  await runOnServer(
    socket,
    "do $$ begin create role locked login password 'opened'; exception when others then null; end $$",
  )
  const { reason } = await refusalOf(openRecords({ database, nowMs }))
  expect(reason).toMatch(line)
  expect(reason).not.toMatch(/hunter2|\n/)
})

test('a missing permission to create tables is reported', async () => {
  const database = await createSchema()
  const user = `u${process.pid}`
  await runOnServer(socket, `create role ${user} login`)
  onTestFinished(async () => runOnServer(socket, `drop role ${user}`))
  const schema = /search_path%3D(\w+)/.exec(database)?.[1] ?? ''
  await queryRows(database, `grant usage on schema ${schema} to ${user}`)
  onTestFinished(
    async () => void (await queryRows(database, `revoke usage on schema ${schema} from ${user}`)),
  )
  const other = database.replace('user=stowage', `user=${user}`)
  expect((await refusalOf(openRecords({ database: other, nowMs }))).reason).toMatch(
    /lacks a permission: permission denied/,
  )
})
