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

/**
 * Opens connections with short limits: the server ends a statement after 300 ms, and the client closes a connection
 * without a response after 600 ms.
 */
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
    selectOne: async () => (await sql<{ n: number }>`select 1 as n`.execute(kysely)).rows[0]?.n,
    backendId: async () =>
      (await sql<{ n: number }>`select pg_backend_pid() as n`.execute(kysely)).rows[0]?.n,
  }
}

test('without the database server reads, changes and pings are unavailable, and they succeed when the server is back', async () => {
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
  let usersUntilCut = Number.POSITIVE_INFINITY
  // An import reads the clock once for each user, directly before it stores the user.
  const cuttingClock = (): number => {
    if (usersUntilCut === 0) relay.cut()
    usersUntilCut -= 1
    return nowMs()
  }
  const records = await openRecords({ database, nowMs: cuttingClock })
  onTestFinished(() => records.close())
  for (const username of ['ann', 'bea']) await records.users.add(userFields({ username }))
  // The connection breaks when the first user has been written and the second has not.
  usersUntilCut = 1
  const importing = records.users.importAll({
    users: [
      { id: 1, ...userFields({ username: 'ann', scope: '/new' }) },
      { id: 2, ...userFields({ username: 'bea', scope: '/new' }) },
    ],
    onExistingId: 'overwrite',
  })
  await expect(importing).rejects.toMatchObject(unavailable)
  expect(usersUntilCut).toBe(-1)
  relay.restore()
  expect((await records.users.list()).map(({ scope }) => scope)).toEqual(['.', '.'])
})

test('a connection that the server has ended is replaced', async () => {
  const { database } = await behindRelay()
  const { kysely, backendId, selectOne } = await openWithShortTimeouts(database)
  const first = await backendId()
  await kysely.connection().execute(async (connection) => {
    await runOnServer(socket, `select pg_terminate_backend(${first})`)
    await expect(sql`select 1`.execute(connection)).rejects.toMatchObject(unavailable)
  })
  expect(await selectOne()).toBe(1)
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
  const { kysely, selectOne } = await openWithShortTimeouts(database)
  await expect(sql`select pg_sleep(60) as much_too_long`.execute(kysely)).rejects.toMatchObject(unavailable)
  const running = await queryRows(
    database,
    "select 1 from pg_stat_activity where query like '%much_too' || '_long%' and state = 'active'",
  )
  expect(running).toEqual([])
  expect(await selectOne()).toBe(1)
})

test('more queries than connections wait for each other', async () => {
  const { database } = await behindRelay()
  const { backendId } = await openWithShortTimeouts(database)
  const ids = await Promise.all(Array.from({ length: 20 }, backendId))
  expect(ids.every((id) => typeof id === 'number')).toBe(true)
  expect(new Set(ids).size).toBeLessThanOrEqual(2)
})
