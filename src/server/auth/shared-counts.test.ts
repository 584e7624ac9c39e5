import { expect, onTestFinished, test } from 'vitest'
import { databaseIn, execute } from '../../../test/kit/database.ts'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { migrations } from '../records/migrations/migrations.ts'
import { throttleTimes } from '../records/migrations/throttle-times.ts'
import { openRecords } from '../records/open-records.ts'
import type { CountChange, ThrottleStore } from '../records/throttles.ts'
import { createSharedCounts, type SharedCounts } from './shared-counts.ts'

const minuteMs = 60_000
const nowMs = () => 1_800_000_000_000
const keyOf = (key: string) => ({ key, windowMs: minuteMs, maxTimes: 5 })

async function openStore() {
  const clock = createClock()
  const { throttles } = await testRecords(clock)
  const written: (readonly CountChange[])[] = []
  const counted: ThrottleStore = {
    ...throttles,
    async count(changes) {
      written.push(changes)
      await throttles.count(changes)
    },
  }
  const open = (more: Partial<ThrottleStore> = {}): SharedCounts =>
    createSharedCounts({ throttles: { ...counted, ...more }, nowMs: clock.nowMs })
  return { clock, written, open }
}

const numberOf = (counts: SharedCounts, key = 'a'): Promise<number | undefined> =>
  counts.decideBy([keyOf(key)], ([times]) => times?.length)

test('two servers count together, and a reset at one of them counts at the other', async () => {
  const { open } = await openStore()
  const [one, other] = [open(), open()]
  for (const counts of [one, other, one]) await counts.add([keyOf('a')])
  expect([await numberOf(one), await numberOf(other)]).toEqual([3, 3])
  await Promise.all([one.add([keyOf('a')]), other.add([keyOf('a'), keyOf('b')])])
  expect([await numberOf(one), await numberOf(other), await numberOf(one, 'b')]).toEqual([5, 5, 1])
  await other.reset(keyOf('a'))
  expect([await numberOf(one), await numberOf(other), await numberOf(one, 'b')]).toEqual([0, 0, 1])
})

test('a flood of failures causes few writes, each of a limited number of keys, and none is forgotten here', async () => {
  const { written, open } = await openStore()
  const counts = open()
  const keys = Array.from({ length: 1000 }, (_, n) => keyOf(`address ${n % 500}`))
  await Promise.all(keys.map((key) => counts.add([key])))
  await counts.close()
  expect(written.length).toBeLessThan(10)
  for (const changes of written) expect(changes.length).toBeLessThanOrEqual(50)
  for (const key of ['address 0', 'address 499']) expect(await numberOf(counts, key)).toBe(2)
})

test('a server counts what it cannot store, also after a reset that it cannot store', async () => {
  const { clock, open } = await openStore()
  const full = { count: async () => Promise.reject(new AppError('no-space')) }
  const [counts, other] = [open(full), open()]
  await other.add([keyOf('a')])
  for (let n = 0; n < 2; n += 1) await counts.add([keyOf('a')])
  expect([await numberOf(counts), await numberOf(other)]).toEqual([3, 1])
  await counts.reset(keyOf('a'))
  clock.advance(1)
  await counts.add([keyOf('a')])
  expect([await numberOf(counts), await numberOf(other)]).toEqual([1, 1])
})

test('a reset that could not be stored while the clock was ahead does not switch the limit off', async () => {
  const { clock, open } = await openStore()
  const working = open()
  let isFull = true
  const counts = open({
    count: async (changes) => {
      if (isFull) throw new AppError('no-space')
      for (const { key } of changes) await working.add([keyOf(key)])
    },
  })
  clock.advance(60 * minuteMs)
  await counts.add([keyOf('a')])
  await counts.reset(keyOf('a'))
  clock.advance(-60 * minuteMs)
  isFull = false
  expect(await numberOf(counts)).toBe(0)
  for (let n = 1; n <= 3; n += 1) {
    clock.advance(1)
    await counts.add([keyOf('a')])
    expect(await numberOf(counts)).toBe(n)
  }
})

test('while the records do not respond, failures count here and nobody waits for long', async () => {
  const { open } = await openStore()
  const { promise, resolve } = Promise.withResolvers<void>()
  const counts = open({ count: () => promise })
  await counts.add([keyOf('a')])
  await counts.add([keyOf('a')])
  expect(await numberOf(counts)).toBe(2)
  resolve()
  await counts.close()
})

test('a decision is made although a write ends during each read, and misses no failure from before the last read', async () => {
  const clock = createClock()
  const { throttles } = await testRecords(clock)
  let reads = 0
  const counts = createSharedCounts({
    throttles: {
      ...throttles,
      async timesOf(key) {
        reads += 1
        const times = await throttles.timesOf(key)
        if (reads < 100) await counts.add([keyOf('a'), keyOf('b')])
        return times
      },
    },
    nowMs: clock.nowMs,
    intervalMs: 0,
  })
  expect(await numberOf(counts)).toBe(4)
  expect(reads).toBe(5)
})

test('a failure of the records that is a fault is told', async () => {
  const { open } = await openStore()
  const counts = open({ count: async () => Promise.reject(new Error('fault')) })
  await expect(counts.add([keyOf('a')])).rejects.toThrow('fault')
})

test('the failures that an earlier version has counted keep counting', async () => {
  const { database, remove } = await databaseIn(temporaryFolder())
  onTestFinished(remove)
  const earlier = migrations.slice(0, migrations.indexOf(throttleTimes))
  await (await openRecords({ database, nowMs, migrations: earlier })).close()
  await execute(
    database,
    `insert into login_throttle (key, fails, until) values
      ('account:a', 2, ${nowMs() + 30 * minuteMs}), ('hash-address:b', 1, ${nowMs() + 1000})`,
  )
  const records = await openRecords({ database, nowMs })
  onTestFinished(() => records.close())
  const halfAnHourAgoMs = nowMs() - 30 * minuteMs
  expect(await records.throttles.timesOf('account:a')).toEqual([halfAnHourAgoMs, halfAnHourAgoMs])
  expect(await records.throttles.timesOf('hash-address:b')).toEqual([nowMs() - minuteMs + 1000])
})
