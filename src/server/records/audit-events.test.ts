import { expect, test } from 'vitest'
import { sampleEvent } from '../../../test/kit/audit-event.ts'
import { testRecords } from '../../../test/kit/records.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { AuditFilter, AuditStore } from './port.ts'

/** Returns the targets of all events that match a filter, the newest first, from pages of the given size. */
async function targetsOf(audit: AuditStore, filter: AuditFilter, maxEvents = 100): Promise<string[]> {
  const targets: string[] = []
  let beforeId: number | null = null
  do {
    const page = await audit.find(filter, { beforeId, maxEvents })
    targets.push(...page.events.map(({ target }) => target))
    beforeId = page.next
  } while (beforeId !== null)
  return targets
}

test('an event is returned unchanged, also with a name that is not UTF-8 and with control characters', async () => {
  const { audit } = await testRecords()
  const odd = sampleEvent({
    target: '/n\udc80"\\ü\u2028/\n',
    username: 'a%_!\u0000',
    details: { fields: ['perm', 'scope'], isInline: true, count: 2 },
    userId: null,
  })
  await audit.add([odd])
  const { events, next } = await audit.find({}, { beforeId: null, maxEvents: 10 })
  expect(events).toEqual([{ ...odd, id: expect.any(Number) }])
  expect(next).toBeNull()
  expect(await targetsOf(audit, { text: '%_!' })).toHaveLength(1)
  expect(await targetsOf(audit, { text: 'b%_!' })).toEqual([])
})

test('a text with letters beyond ASCII is found as it was recorded', async () => {
  const { audit } = await testRecords()
  await audit.add([sampleEvent({ target: '/ÄRGER.txt' }), sampleEvent({ target: '/other' })])
  for (const text of ['ÄRGER', 'Ärger']) expect(await targetsOf(audit, { text })).toEqual(['/ÄRGER.txt'])
})

test('without events there is nothing to find, and nothing to delete', async () => {
  const { audit } = await testRecords()
  expect(await audit.find({}, { beforeId: null, maxEvents: 10 })).toEqual({ events: [], next: null })
  expect(await audit.removeBefore(Date.now())).toBe(false)
})

test('each filter selects events, and several filters select those that meet all of them', async () => {
  const { audit } = await testRecords()
  const startMs = 1_800_000_000_000
  await audit.add([
    sampleEvent({ target: '/docs', atMs: startMs }),
    sampleEvent({ target: '/docs/a.txt', atMs: startMs + 1000, username: 'bea', outcome: 'forbidden' }),
    sampleEvent({ target: '/docs2', atMs: startMs + 2000, action: 'move', destination: '/old/docs2' }),
    sampleEvent({ target: '/Other', atMs: startMs + 3000, address: '2001:db8::7', outcome: 'not-found' }),
  ])
  expect(await targetsOf(audit, {})).toEqual(['/Other', '/docs2', '/docs/a.txt', '/docs'])
  expect(await targetsOf(audit, { path: '/docs' as Path })).toEqual(['/docs/a.txt', '/docs'])
  expect(await targetsOf(audit, { path: '/old' as Path })).toEqual(['/docs2'])
  expect(await targetsOf(audit, { path: '/' as Path })).toHaveLength(4)
  expect(await targetsOf(audit, { username: 'bea' })).toEqual(['/docs/a.txt'])
  expect(await targetsOf(audit, { actions: ['move', 'login'] })).toEqual(['/docs2'])
  expect(await targetsOf(audit, { outcome: 'failed' })).toEqual(['/Other', '/docs/a.txt'])
  expect(await targetsOf(audit, { outcome: 'ok' })).toEqual(['/docs2', '/docs'])
  expect(await targetsOf(audit, { outcome: 'not-found' })).toEqual(['/Other'])
  expect(await targetsOf(audit, { text: 'oTHER' })).toEqual(['/Other'])
  expect(await targetsOf(audit, { text: 'db8' })).toEqual(['/Other'])
  expect(await targetsOf(audit, { fromMs: startMs + 1000, toMs: startMs + 3000 })).toEqual([
    '/docs2',
    '/docs/a.txt',
  ])
  expect(await targetsOf(audit, { outcome: 'failed', username: 'ann' })).toEqual(['/Other'])
})

test('pages contain each of many events once, and a rare event is found behind them', async () => {
  const { audit } = await testRecords()
  await audit.add([sampleEvent({ target: '/rare' })])
  await audit.add(
    Array.from({ length: 12_345 }, (_, index) => sampleEvent({ target: `/${index}`, username: 'bea' })),
  )
  const all = await targetsOf(audit, {}, 500)
  expect(all).toHaveLength(12_346)
  expect(new Set(all).size).toBe(12_346)
  expect([all[0], all.at(-1)]).toEqual(['/12344', '/rare'])
  expect(await targetsOf(audit, { username: 'ann' }, 1)).toEqual(['/rare'])
})

test('old events are deleted in steps, and newer events stay', async () => {
  const { audit } = await testRecords()
  const old = Array.from({ length: 7000 }, () => sampleEvent({ atMs: 1000 }))
  await audit.add([...old, sampleEvent({ target: '/new', atMs: 2000 })])
  expect(await audit.removeBefore(2000)).toBe(true)
  expect(await audit.removeBefore(2000)).toBe(false)
  expect(await targetsOf(audit, {})).toEqual(['/new'])
})
