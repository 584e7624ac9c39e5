import { expect, test } from 'vitest'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { createSharedCounts } from './shared-counts.ts'
import { createThrottle, type Throttle, type ThrottleLimits } from './throttle.ts'

const minuteMs = 60_000

async function world() {
  const clock = createClock()
  const { throttles } = await testRecords(clock)
  const { nowMs } = clock
  /** Creates what a server has, as after a restart or at another server. */
  const openCounts = () => createSharedCounts({ throttles, nowMs, intervalMs: 0 })
  const open = () => createThrottle({ counts: openCounts(), nowMs })
  return { clock, throttles, open, openCounts, throttle: open() }
}

const [ann, bea] = ['ann', 'bea']
const fail = () => Promise.resolve(null)
const pass = () => Promise.resolve('in')
const passSlowly = () => new Promise<string>((resolve) => setImmediate(resolve, 'in'))
const fault = () => Promise.reject(new Error('disk'))
/** Returns the result of a login attempt: `in` for success, null for failure, or the number of seconds to wait. */
const attempt = (
  throttle: Throttle,
  account: string,
  address: string,
  work: () => Promise<string | null> = fail,
) =>
  throttle({ account, address }, work).catch((error: { code: string; retryAfterSeconds: number }) =>
    error.code === 'too-many-tries' ? error.retryAfterSeconds : Promise.reject(new Error(error.code)),
  )
const times = async (count: number, work: () => Promise<unknown>) => {
  for (let n = 0; n < count; n += 1) await work()
}

test('the sixth try within a minute is refused, even with the right password, and then passes', async () => {
  const { clock, throttle } = await world()
  await times(5, () => attempt(throttle, ann, '192.0.2.1'))
  clock.advance(20_000)
  expect(await attempt(throttle, ann, '192.0.2.1', pass)).toBe(40)
  clock.advance(40_000)
  expect(await attempt(throttle, ann, '192.0.2.1', pass)).toBe('in')
})

test('failures that were counted while the clock was ahead lock for one window, also after a restart', async () => {
  const { clock, throttle, open } = await world()
  const yearMs = 365 * 24 * 60 * minuteMs
  clock.advance(yearMs)
  await times(5, () => attempt(throttle, ann, '192.0.2.1'))
  clock.advance(-yearMs)
  const restarted = open()
  for (const used of [throttle, restarted]) expect(await attempt(used, ann, '192.0.2.1', pass)).toBe(60)
  clock.advance(minuteMs)
  for (const used of [throttle, restarted]) expect(await attempt(used, ann, '192.0.2.1', pass)).toBe('in')
})

test('refused tries run no work and do not count', async () => {
  const { clock, throttle } = await world()
  let work = 0
  const counted = () => Promise.resolve(void (work += 1)).then(() => null)
  await times(9, () => attempt(throttle, ann, '192.0.2.1', counted))
  expect(work).toBe(5)
  clock.advance(minuteMs)
  await attempt(throttle, ann, '192.0.2.1', counted)
  expect(work).toBe(6)
})

test('other accounts and other addresses are not affected', async () => {
  const { throttle } = await world()
  await times(6, () => attempt(throttle, ann, '192.0.2.1'))
  expect([
    await attempt(throttle, ann, '192.0.2.2', pass),
    await attempt(throttle, bea, '192.0.2.1', pass),
    await attempt(throttle, ann, '192.0.2.1', pass),
  ]).toEqual(['in', 'in', 60])
})

test('the thirty-first try within an hour is refused', async () => {
  const { clock, throttle } = await world()
  for (let n = 0; n < 30; n += 1) {
    expect(await attempt(throttle, ann, '192.0.2.1')).toBe(null)
    clock.advance(minuteMs)
  }
  expect(await attempt(throttle, ann, '192.0.2.1', pass)).toBe(30 * 60)
})

test('an address has twenty tries a minute over all accounts; an IPv6 /64 counts as one address', async () => {
  const { throttle } = await world()
  for (let n = 0; n < 20; n += 1) await attempt(throttle, `user ${n}`, `2001:db8:1:2::${n}`)
  expect([
    await attempt(throttle, 'another', '2001:db8:1:2:ffff::1', pass),
    await attempt(throttle, 'another', '2001:db8:1:3::1', pass),
  ]).toEqual([60, 'in'])
})

test('an address has 160 tries in eight minutes, where several servers have each checked 20 a minute', async () => {
  const { clock, openCounts, throttle } = await world()
  const counts = openCounts()
  const key = { key: 'address:192.0.2.1', windowMs: 8 * minuteMs, maxTimes: 160 }
  for (let minute = 0; minute < 4; minute += 1) {
    expect(await attempt(throttle, ann, '192.0.2.1', pass)).toBe('in')
    await times(40, () => counts.add([key]))
    clock.advance(minuteMs)
  }
  expect(await attempt(throttle, ann, '192.0.2.1', pass)).toBe(4 * 60)
  expect(await attempt(throttle, ann, '192.0.2.2', pass)).toBe('in')
})

test("a success resets the account's count at that address, but never the count of the address", async () => {
  const { throttle } = await world()
  const round = async (account: string) => {
    await times(4, () => attempt(throttle, account, '192.0.2.1'))
    return attempt(throttle, account, '192.0.2.1', pass)
  }
  expect([await round(ann), await round(ann), await round(ann), await round(ann), await round(ann)]).toEqual([
    'in',
    'in',
    'in',
    'in',
    60,
  ])
})

test('right passwords are never counted, however many arrive concurrently', async () => {
  const { throttle } = await world()
  const all = await Promise.all(
    Array.from({ length: 100 }, () => attempt(throttle, ann, '192.0.2.1', passSlowly)),
  )
  expect(new Set(all)).toEqual(new Set(['in']))
})

test('of concurrent wrong passwords only five are checked', async () => {
  const { throttle } = await world()
  let work = 0
  const slow = () =>
    new Promise<null>((resolve) => {
      work += 1
      setImmediate(resolve, null)
    })
  const all = await Promise.all(Array.from({ length: 50 }, () => attempt(throttle, ann, '192.0.2.1', slow)))
  expect([work, all.filter((it) => it === null).length, all.filter((it) => it === 60).length]).toEqual([
    5, 5, 45,
  ])
})

/** Waits until the promise jobs that are queued now have run, `count` times. */
const turns = (count: number) => times(count, () => Promise.resolve())

test('a try does not wait for one that ends while it is decided that it has to wait', async () => {
  const { openCounts, clock } = await world()
  const limits: ThrottleLimits = { account: [{ maxFailures: 1, windowMs: minuteMs }], address: [] }
  for (let turn = 0; turn < 20; turn += 1) {
    const throttle = createThrottle({
      counts: {
        ...openCounts(),
        async decideBy(keys, decide) {
          await turns(6)
          return decide(keys.map(() => []))
        },
        reset: () => turns(1),
      },
      nowMs: clock.nowMs,
      limits,
    })
    const work = Promise.withResolvers<string>()
    const first = attempt(throttle, ann, '192.0.2.1', () => work.promise)
    await turns(30)
    const second = attempt(throttle, ann, '192.0.2.1', pass)
    await turns(turn)
    work.resolve('in')
    expect(await Promise.all([first, second])).toEqual(['in', 'in'])
  }
})

test('an exception counts neither as success nor as failure', async () => {
  const { throttle } = await world()
  await times(9, () => throttle({ account: ann, address: '192.0.2.1' }, fault).catch(() => {}))
  expect(await attempt(throttle, ann, '192.0.2.1', pass)).toBe('in')
})

test('a restart keeps the counts', async () => {
  const { clock, open, throttle } = await world()
  await times(5, () => attempt(throttle, ann, '192.0.2.1'))
  const restarted = open()
  expect(await attempt(restarted, ann, '192.0.2.1', pass)).toBe(60)
  clock.advance(minuteMs)
  expect(await attempt(restarted, ann, '192.0.2.1', pass)).toBe('in')
})

test('throttles with different key prefixes count separately, each with its own limits, also after a restart', async () => {
  const { clock, throttles, open, openCounts, throttle } = await world()
  const dependencies = () => ({
    counts: openCounts(),
    nowMs: clock.nowMs,
    limits: { account: [], address: [{ maxFailures: 2, windowMs: minuteMs }] },
    keyPrefix: 'hash-',
  })
  const hashes = createThrottle(dependencies())
  await times(2, () => attempt(hashes, ann, '192.0.2.1'))
  expect(await attempt(hashes, bea, '192.0.2.1', pass)).toBe(60)
  expect(await attempt(throttle, ann, '192.0.2.1', pass)).toBe('in')
  expect(await attempt(createThrottle(dependencies()), bea, '192.0.2.1', pass)).toBe(60)
  expect(await attempt(open(), ann, '192.0.2.1', pass)).toBe('in')
  expect(await throttles.timesOf('hash-address:192.0.2.1')).toHaveLength(2)
})
