import { expect, test } from 'vitest'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { createSharedCounts } from './shared-counts.ts'
import { createSuccessLimit } from './success-limit.ts'

const hourMs = 3_600_000

async function world() {
  const clock = createClock()
  const records = await testRecords(clock)
  const open = () =>
    createSuccessLimit({
      maxSuccesses: 30,
      windowMs: hourMs,
      nowMs: clock.nowMs,
      counts: createSharedCounts({ throttles: records.throttles, nowMs: clock.nowMs, intervalMs: 0 }),
      keyPrefix: 'it:',
    })
  return { clock, open, limit: open() }
}

const fine = async () => 'fine'

test('thirty successes in an hour are allowed, the next one waits until the first expires, and other networks do not wait', async () => {
  const { clock, limit } = await world()
  for (let n = 0; n < 30; n += 1) expect(await limit('192.0.2.1', fine)).toBe('fine')
  clock.advance(hourMs - 60_000)
  await expect(limit('192.0.2.1', fine)).rejects.toMatchObject({
    code: 'too-many-tries',
    retryAfterSeconds: 60,
  })
  expect(await limit('192.0.2.2', fine)).toBe('fine')
  clock.advance(60_000)
  expect(await limit('192.0.2.1', fine)).toBe('fine')
})

test('refused work does not count', async () => {
  const { limit } = await world()
  for (let n = 0; n < 40; n += 1)
    await limit('192.0.2.1', () => Promise.reject(new Error('no'))).catch(() => {})
  expect(await limit('192.0.2.1', fine)).toBe('fine')
})

test('concurrent work cannot exceed the limit', async () => {
  const { limit } = await world()
  const all = await Promise.allSettled(Array.from({ length: 40 }, () => limit('192.0.2.1', fine)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(30)
})

test('addresses of one IPv6 /64 count together', async () => {
  const { limit } = await world()
  for (let n = 0; n < 30; n += 1) await limit(`2001:db8::${n}`, fine)
  await expect(limit('2001:db8::ffff', fine)).rejects.toMatchObject({ code: 'too-many-tries' })
})

test('a restart keeps current counts and drops expired ones', async () => {
  const { clock, open, limit } = await world()
  for (let n = 0; n < 30; n += 1) await limit('192.0.2.1', fine)
  const again = open()
  await expect(again('192.0.2.1', fine)).rejects.toMatchObject({ code: 'too-many-tries' })
  clock.advance(hourMs)
  expect(await open()('192.0.2.1', fine)).toBe('fine')
})

test('successes that were counted while the clock was ahead count for one window', async () => {
  const { clock, limit } = await world()
  clock.advance(365 * 24 * hourMs)
  for (let n = 0; n < 30; n += 1) await limit('192.0.2.1', fine)
  clock.advance(-365 * 24 * hourMs)
  await expect(limit('192.0.2.1', fine)).rejects.toMatchObject({ retryAfterSeconds: 3600 })
  clock.advance(hourMs)
  expect(await limit('192.0.2.1', fine)).toBe('fine')
})
