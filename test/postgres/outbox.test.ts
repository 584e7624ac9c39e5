import { inject, expect, onTestFinished, test } from 'vitest'
import { later } from '../../src/server/concurrency/later.ts'
import { openOutboxLink } from '../../src/server/peers/outbox-link.ts'
import { peerLimits, type PeerLimits } from '../../src/server/peers/peer-link.ts'
import type { Migration } from '../../src/server/records/migrations/migration.ts'
import { migrations } from '../../src/server/records/migrations/migrations.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import type { Outbox } from '../../src/server/records/outbox.ts'
import { createSchema, queryRows } from '../kit/database.ts'
import { startRelay } from '../kit/relay.ts'

let lastName = 0

type PeerOptions = {
  readonly outbox?: (outbox: Outbox) => Outbox
  readonly limits?: Partial<PeerLimits>
}

/** Starts a server on a database that collects what its peers send. */
async function startPeer(database: string, options: PeerOptions = {}) {
  const records = await openRecords({ database, nowMs: Date.now })
  const received: unknown[] = []
  const faults: unknown[] = []
  let losses = 0
  const { outbox = (same: Outbox) => same } = options
  const link = await openOutboxLink({
    outbox: outbox(records.outbox!),
    name: `server-${(lastName += 1)}`,
    listener: { onMessage: (message) => void received.push(message), onLoss: () => void (losses += 1) },
    later,
    onFault: (error) => void faults.push(error),
    limits: { ...peerLimits, ...options.limits },
  })
  const close = async () => {
    await link.close()
    await records.close()
  }
  onTestFinished(close)
  return { received, faults, losses: () => losses, say: (n: number) => link.send(() => ({ n })), close }
}

const said = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))
const rows = (database: string, from: string) => queryRows(database, `select * from ${from}`)

/** Starts two servers, and waits until both know of each other and nothing waits to be received. */
async function startTwo(database: string, ofSecond: PeerOptions & { readonly url?: string } = {}) {
  const one = await startPeer(database)
  const two = await startPeer(ofSecond.url ?? database, ofSecond)
  // The first server says that it has sent nothing to the second one before.
  await expect.poll(() => two.losses()).toBe(1)
  return { one, two }
}

test('each server receives the messages of the other in order and once', async () => {
  const database = await createSchema()
  const { one, two } = await startTwo(database)
  for (const { n } of said(500)) {
    one.say(n)
    two.say(n)
    if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const { received } of [one, two]) await expect.poll(() => received).toEqual(said(500))
  expect([one.losses(), two.losses()]).toEqual([0, 1])
  expect((await rows(database, 'outbox')).length).toBeLessThan(100)
})

test('a server without peers stores nothing, and one that stops leaves no row', async () => {
  const database = await createSchema()
  const one = await startPeer(database)
  one.say(1)
  await one.close()
  expect([await rows(database, 'outbox'), await rows(database, 'server')]).toEqual([[], []])
})

test('messages are received without notices', async () => {
  const database = await createSchema()
  const { one, two } = await startTwo(database, {
    outbox: (outbox) => ({ ...outbox, listen: () => async () => {} }),
  })
  one.say(7)
  await expect.poll(() => two.received).toEqual([{ n: 7 }])
})

test('what is sent while the database cannot be reached arrives when it is back, in order and once', async () => {
  const relay = await startRelay(inject('postgres'))
  onTestFinished(() => relay.close())
  const database = await createSchema()
  const url = database.replace(/host=[^&]*/, `host=127.0.0.1&port=${relay.port}`)
  const { one, two } = await startTwo(database, { url })
  relay.cut()
  for (const { n } of said(20)) two.say(n)
  one.say(1)
  await expect.poll(() => two.faults.length).toBeGreaterThan(0)
  expect(one.received).toEqual([])
  relay.restore()
  await expect.poll(() => one.received).toEqual(said(20))
  await expect.poll(() => two.received).toEqual([{ n: 1 }])
  expect([one.losses(), two.losses()]).toEqual([0, 1])
})

test('a batch that is missing counts as lost', async () => {
  const database = await createSchema()
  const { one, two } = await startTwo(database)
  one.say(0)
  await expect.poll(() => two.received).toEqual([{ n: 0 }])
  await queryRows(
    database,
    `insert into outbox (server, number, at, messages)
     select server, max(number) + 2, max(at), '[{"n":1}]' from outbox group by server`,
  )
  await expect.poll(() => two.received).toEqual([{ n: 0 }, { n: 1 }])
  expect(two.losses()).toBe(2)
})

test('a batch that cannot be read counts as lost, and the next one arrives', async () => {
  const database = await createSchema()
  const { one, two } = await startTwo(database)
  one.say(0)
  await expect.poll(() => two.received).toEqual([{ n: 0 }])
  await queryRows(
    database,
    `insert into outbox (server, number, at, messages)
     select server, max(number) + n, max(at), case n when 1 then '[{' when 2 then '7' else '[{"n":1}]' end
     from outbox, generate_series(1, 3) n group by server, n`,
  )
  await expect.poll(() => two.received).toEqual([{ n: 0 }, { n: 1 }])
  expect([two.losses(), two.faults]).toEqual([3, []])
})

test('the last batch of a server that stops arrives when its end is noticed before the batch', async () => {
  const database = await createSchema()
  let isDelayed = false
  const { one, two } = await startTwo(database, {
    outbox: (outbox) => ({
      ...outbox,
      listen: () => async () => {},
      read: async (...given) => (isDelayed ? [] : outbox.read(...given)),
      async register(server) {
        const seen = await outbox.register(server)
        if (seen.others.length === 0) isDelayed = false
        return seen
      },
    }),
  })
  isDelayed = true
  one.say(7)
  await one.close()
  await expect.poll(() => two.received).toEqual([{ n: 7 }])
  expect(two.losses()).toBe(1)
})

test('messages for which there is no room are replaced by one about their loss', async () => {
  const database = await createSchema()
  const { one, two } = await startTwo(database, { limits: { waitingCharacters: 100 } })
  for (const { n } of said(100)) two.say(n)
  await expect.poll(() => one.losses()).toBe(1)
  expect(one.received.length).toBeLessThan(100)
})

test('a server that has stored as much as it may sends only that messages are lost', async () => {
  const database = await createSchema()
  const { one, two } = await startTwo(database, { limits: { storedCharacters: 50 } })
  for (const { n } of said(20)) two.say(n)
  await expect.poll(() => one.received).toEqual(said(20))
  for (const { n } of said(20)) two.say(n)
  await expect.poll(() => one.losses()).toBe(1)
  expect(one.received).toHaveLength(20)
})

test('a server whose peer was killed counts its last messages as lost', async () => {
  const database = await createSchema()
  const { one } = await startTwo(database)
  const { outbox } = await openRecordsOf(database)
  await outbox?.register('killed')
  await outbox?.notify('server')
  const isKnown = async () =>
    (await rows(database, 'outbox')).some(({ messages }) => messages === '[{"isLoss":true}]')
  await expect.poll(isKnown).toBe(true)
  // On a busy machine, the two servers may have missed something of each other while they started.
  const before = one.losses()
  await queryRows(database, "update server set seen_at = seen_at - 20000 where id = 'killed'")
  await outbox?.notify('server')
  await expect.poll(one.losses).toBeGreaterThan(before)
})

async function openRecordsOf(database: string) {
  const records = await openRecords({ database, nowMs: Date.now })
  onTestFinished(() => records.close())
  return records
}

test('a server migrates the database when the other servers have ended', async () => {
  const database = await createSchema()
  const peer = await startPeer(database)
  const lines: string[] = []
  const more: Migration = {
    name: 'a table more',
    async up({ schema }) {
      await schema.createTable('more').addColumn('id', 'integer').execute()
    },
  }
  const opening = openRecords({
    database,
    nowMs: Date.now,
    migrations: [...migrations, more],
    migrationWait: { log: (line) => void lines.push(line), otherServersRun: async () => false },
  })
  await expect.poll(() => lines.length).toBe(1)
  expect(await tablesCalledMore(database)).toEqual([])
  await peer.close()
  await (await opening).close()
  expect(await tablesCalledMore(database)).toHaveLength(1)
})

const tablesCalledMore = (database: string) =>
  queryRows(
    database,
    "select 1 from information_schema.tables where table_name = 'more' and table_schema = current_schema()",
  )
