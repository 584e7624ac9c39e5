import { expect, inject, onTestFinished, test } from 'vitest'
import { Kysely, sql } from 'kysely'
import { openRecords } from '../../src/server/records/open-records.ts'
import { postgresDialect } from '../../src/server/records/postgres/postgres-dialect.ts'
import { queryRows, runOnServer, createSchema } from '../kit/database.ts'
import { userFields } from '../kit/records.ts'
import { startRelay } from '../kit/relay.ts'

const nowMs = () => 1_800_000_000_000
const socket = inject('postgres')
const unavailable = { code: 'unavailable' }

/** Creates an empty database behind a relay whose connections the test can interrupt. */
async function behindRelay() {
  const relay = await startRelay(socket)
  onTestFinished(() => relay.close())
  const database = (await createSchema()).replace(/host=[^&]*/, `host=127.0.0.1&port=${relay.port}`)
  return { relay, database }
}

/** Opens records that close a connection when the database has not answered for 300 ms, and counts the queries. */
async function openWithShortTimeouts(database: string) {
  const kysely = new Kysely<Record<string, never>>({
    dialect: postgresDialect(database, {
      connectMs: 300,
      statementMs: 300,
      responseGraceMs: 300,
      maxConnections: 2,
    }),
  })
  onTestFinished(() => kysely.destroy())
  return {
    kysely,
    countTables: async () =>
      (await sql<{ n: number }>`select count(*) as n from pg_class`.execute(kysely)).rows.length,
    backendId: async () =>
      (await sql<{ n: number }>`select pg_backend_pid() as n`.execute(kysely)).rows[0]?.n,
  }
}

test('without the database server all operations are unavailable, and they succeed when the server is back', async () => {
  const { relay, database } = await behindRelay()
  const records = await openRecords({ database, nowMs })
  onTestFinished(() => records.close())
  await records.users.add(userFields({ username: 'ann' }))
  relay.cut()
  await expect(records.users.list()).rejects.toMatchObject(unavailable)
  await expect(records.users.update(1, { locale: 'de' })).rejects.toMatchObject(unavailable)
  await expect(records.ping()).rejects.toMatchObject(unavailable)
  relay.restore()
  await records.ping()
  expect((await records.users.update(1, { locale: 'de' })).locale).toBe('de')
})

test('a change whose connection breaks has no effect', async () => {
  const { relay, database } = await behindRelay()
  const records = await openRecords({ database, nowMs })
  onTestFinished(() => records.close())
  for (const username of ['ann', 'bea']) await records.users.add(userFields({ username }))
  const importing = records.users.importAll({
    users: [
      { id: 1, ...userFields({ username: 'ann', scope: '/new' }) },
      {
        id: 2,
        get username(): string {
          // The connection breaks during the query for the second user, when the first user is already written.
          relay.cut()
          return 'bea'
        },
        ...withoutName(userFields({ username: '' })),
      },
    ],
    onExistingId: 'overwrite',
  })
  await expect(importing).rejects.toMatchObject(unavailable)
  relay.restore()
  expect((await records.users.list()).map(({ scope }) => scope)).toEqual(['.', '.'])
})

const withoutName = ({ username: _none, ...fields }: ReturnType<typeof userFields>) => fields

test('a connection that the server has ended is replaced', async () => {
  const { database } = await behindRelay()
  const { kysely, backendId, countTables: count } = await openWithShortTimeouts(database)
  const first = await backendId()
  await kysely.connection().execute(async (connection) => {
    await runOnServer(socket, `select pg_terminate_backend(${first})`)
    await expect(sql`select 1`.execute(connection)).rejects.toMatchObject(unavailable)
  })
  expect(await count()).toBe(1)
  expect(await backendId()).not.toBe(first)
})

test('a connection without a response for too long is never used again', async () => {
  const { relay, database } = await behindRelay()
  const { backendId } = await openWithShortTimeouts(database)
  const first = await backendId()
  relay.stall()
  await expect(backendId()).rejects.toMatchObject(unavailable)
  await expect(backendId()).rejects.toMatchObject(unavailable)
  relay.restore()
  expect(await backendId()).not.toBe(first)
})

test('a statement that takes too long is ended on the server', async () => {
  const { database } = await behindRelay()
  const { kysely, countTables: count } = await openWithShortTimeouts(database)
  await expect(sql`select pg_sleep(60) as much_too_long`.execute(kysely)).rejects.toMatchObject(unavailable)
  const running = await queryRows(
    database,
    "select 1 from pg_stat_activity where query like '%much_too' || '_long%' and state = 'active'",
  )
  expect(running).toEqual([])
  expect(await count()).toBe(1)
})

test('more queries than connections wait for each other', async () => {
  const { database } = await behindRelay()
  const { countTables: count } = await openWithShortTimeouts(database)
  expect(await Promise.all(Array.from({ length: 20 }, count))).toEqual(Array.from({ length: 20 }, () => 1))
})
