import { expect, onTestFinished, test } from 'vitest'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import type { OldRequest } from '../http/route.ts'
import { createRequestCounter, maxOldRequests } from './request-counter.ts'

const requestOf = (fields: Partial<OldRequest> = {}): OldRequest => ({
  reason: 'token-in-url',
  method: 'GET',
  route: '/api/raw/*',
  agent: 'curl/8.5.0',
  ...fields,
})

async function openCounter() {
  const clock = createClock()
  const { oldRequests } = await testRecords(clock)
  const faults: unknown[] = []
  let isBroken = false
  const adding = { started: Promise.withResolvers<void>(), mayEnd: Promise.resolve() }
  const store: typeof oldRequests = {
    ...oldRequests,
    async add(rows, limits) {
      adding.started.resolve()
      await adding.mayEnd
      if (isBroken) throw new Error('the database is gone')
      await oldRequests.add(rows, limits)
    },
  }
  const counter = createRequestCounter({
    store,
    nowMs: clock.nowMs,
    onFault: (error) => void faults.push(error),
  })
  onTestFinished(() => counter.stop())
  return {
    clock,
    counter,
    faults,
    list: () => oldRequests.list(),
    setBroken: (broken: boolean) => (isBroken = broken),
    /** Starts to store the counts. They are in flight until `end` is called. */
    startStoring: async () => {
      const { promise, resolve: end } = Promise.withResolvers<void>()
      Object.assign(adding, { started: Promise.withResolvers<void>(), mayEnd: promise })
      const stored = counter.flush()
      await adding.started.promise
      return { stored, end }
    },
  }
}

test('requests of the same program are one row with a count and two times', async () => {
  const { clock, counter, list } = await openCounter()
  const startMs = clock.nowMs()
  counter.count(requestOf())
  clock.advance(5000)
  counter.count(requestOf({ agent: 'curl/8.9.1' }))
  expect(await list()).toEqual([])
  await counter.flush()
  clock.advance(5000)
  counter.count(requestOf())
  await counter.stop()
  expect(await list()).toEqual([
    {
      reason: 'token-in-url',
      route: 'GET /api/raw/*',
      client: 'curl/8',
      count: 3,
      firstMs: startMs,
      lastMs: startMs + 10_000,
    },
  ])
})

test('10,000 clients fill a limited number of rows, and guests replace no rows of others', async () => {
  const { clock, counter, list } = await openCounter()
  counter.count(requestOf({ agent: 'first/1' }))
  for (let at = 0; at < 10_000; at += 1) {
    clock.advance(1)
    counter.count(requestOf({ reason: 'removed-route', route: '/api/resource/*', agent: `guest${at}/1` }))
    if (at % 2500 === 0) await counter.flush()
  }
  await counter.flush()
  const afterGuests = await list()
  expect(afterGuests).toHaveLength(maxOldRequests.anonymous + 1)
  expect(afterGuests[0]?.client).toBe('guest9999/1')
  expect(afterGuests.at(-1)?.client).toBe('first/1')
  for (let at = 0; at < 10_000; at += 1) {
    clock.advance(1)
    counter.count(requestOf({ agent: `known${at}/1` }))
  }
  await counter.flush()
  const all = await list()
  expect(all).toHaveLength(maxOldRequests.known + maxOldRequests.anonymous)
  expect(all[0]?.client).toBe('known9999/1')
})

test('counts wait while the database refuses them, and are stored once', async () => {
  const { counter, faults, list, setBroken } = await openCounter()
  setBroken(true)
  counter.count(requestOf())
  await counter.flush()
  counter.count(requestOf())
  expect(faults).toHaveLength(1)
  setBroken(false)
  await counter.flush()
  await counter.flush()
  expect((await list()).map(({ count }) => count)).toEqual([2])
})

test('a clear forgets what is stored, what waits, and what is being stored', async () => {
  const { counter, list } = await openCounter()
  counter.count(requestOf())
  await counter.flush()
  counter.count(requestOf({ agent: 'being-stored/1' }))
  const storing = counter.flush()
  counter.count(requestOf({ agent: 'waiting/1' }))
  await counter.clear()
  await storing
  await counter.flush()
  expect(await list()).toEqual([])
})

test('a clear forgets counts that are being stored, also when they cannot be stored', async () => {
  const { counter, faults, list, setBroken, startStoring } = await openCounter()
  setBroken(true)
  counter.count(requestOf())
  const { stored, end } = await startStoring()
  const cleared = counter.clear()
  end()
  await Promise.all([stored, cleared])
  expect(faults).toHaveLength(1)
  setBroken(false)
  counter.count(requestOf({ agent: 'later/1' }))
  await counter.flush()
  expect((await list()).map(({ client, count }) => `${client} ${count}`)).toEqual(['later/1 1'])
})

test('counts that could not be stored are older than those that arrived meanwhile', async () => {
  const { clock, counter, list, setBroken, startStoring } = await openCounter()
  setBroken(true)
  counter.count(requestOf({ agent: 'oldest/1' }))
  const { stored, end } = await startStoring()
  for (let at = 0; at < maxOldRequests.known; at += 1) {
    clock.advance(1)
    counter.count(requestOf({ agent: `meanwhile${at}/1` }))
  }
  end()
  await stored
  setBroken(false)
  await counter.flush()
  const clients = (await list()).map(({ client }) => client)
  expect(clients).toHaveLength(maxOldRequests.known)
  expect([clients.includes('oldest/1'), clients.includes('meanwhile0/1')]).toEqual([false, true])
})
