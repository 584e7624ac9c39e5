import { expect, onTestFinished, test } from 'vitest'
import { databaseIn, execute } from '../../../test/kit/database.ts'
import { sampleEvent } from '../../../test/kit/audit-event.ts'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import type { AuditAction } from '../../shared/domain/audit-actions.ts'
import type { Path } from '../../shared/domain/path.ts'
import { migrations } from './migrations/migrations.ts'
import { openRecords } from './open-records.ts'
import type { AuditEvent, AuditFilter, AuditStore } from './audit-store.ts'

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
  expect(await audit.hasBefore(1000)).toBe(false)
  expect(await audit.hasBefore(2000)).toBe(true)
  expect(await audit.removeBefore(2000)).toBe(true)
  expect(await audit.removeBefore(2000)).toBe(false)
  expect(await audit.hasBefore(2000)).toBe(false)
  expect(await targetsOf(audit, {})).toEqual(['/new'])
})

test('events above the total size make room: details first, then other events, and logins at last', async () => {
  const { database } = await testRecords()
  const maxBytes = 85_000
  const records = await openRecords({ database, nowMs: Date.now, auditBytes: maxBytes })
  onTestFinished(() => records.close())
  const { audit } = records
  const actions = ['login', 'delete', 'download', 'login'] as const
  const batch = (first: number, kinds: readonly AuditAction[] = actions): AuditEvent[] =>
    kinds.flatMap((action) =>
      Array.from({ length: 40 }, (_, n) =>
        sampleEvent({ action, target: `/${action} ${first + n}${'x'.repeat(200)}` }),
      ),
    )
  const countsOf = async (): Promise<Readonly<Record<string, number>>> => {
    const targets = await targetsOf(audit, {})
    return Object.fromEntries(
      ['login', 'delete', 'download'].map((action) => [
        action,
        targets.filter((t) => t.startsWith(`/${action} `)).length,
      ]),
    )
  }
  await audit.add(batch(0))
  expect(await countsOf()).toEqual({ login: 80, delete: 40, download: 40 })
  await audit.add(batch(100))
  const { login, delete: deleted = 0, download = 0 } = await countsOf()
  expect([login, download < 80, deleted]).toEqual([160, true, 80])
  for (let n = 200; n < 600; n += 100) await audit.add(batch(n, ['delete', 'download']))
  const later = await countsOf()
  expect(later['login']).toBe(160)
  // The newest events of each kind are those that stay.
  expect(await targetsOf(audit, { text: '/download 539' })).toHaveLength(1)
  expect(await targetsOf(audit, { text: '/delete 0x' })).toEqual([])
  const total = Object.values(later).reduce((sum, count) => sum + count, 0)
  // Each event has a target of about 215 characters.
  expect(total * 215).toBeLessThan(maxBytes)
  expect(total * 330).toBeGreaterThan(maxBytes)
  for (let n = 1000; n < 2000; n += 100) await audit.add(batch(n, ['login']))
  const last = await targetsOf(audit, {})
  expect(last.every((target) => target.startsWith('/login'))).toBe(true)
  expect(last.length).toBeGreaterThan(200)
})

test('any number of changes of shares makes no login and no change of rights go', async () => {
  const { database } = await testRecords()
  const records = await openRecords({ database, nowMs: Date.now, auditBytes: 85_000 })
  onTestFinished(() => records.close())
  const { audit } = records
  const kept = ['login', 'logout', 'user-change', 'settings-change'] as const
  await audit.add(kept.map((action) => sampleEvent({ action, target: `/kept ${action}` })))
  for (let n = 0; n < 10; n += 1) {
    const actions = (['share-create', 'share-change', 'share-delete', 'delete', 'download'] as const).map(
      (action) => sampleEvent({ action, target: `/${'x'.repeat(200)}` }),
    )
    await audit.add(Array.from({ length: 20 }, () => actions).flat())
  }
  const targets = await targetsOf(audit, {})
  expect(targets.filter((target) => target.startsWith('/kept'))).toHaveLength(kept.length)
  // The changes of files and the reads go before the changes of shares.
  const shares = await targetsOf(audit, { actions: ['share-create', 'share-change', 'share-delete'] })
  expect(shares.length).toBeGreaterThan(200)
})

/** Stores events with large details, as earlier versions did. */
async function addLargeEvents(database: string, count: number): Promise<void> {
  const insert = `insert into audit_event (at, action, outcome, actor, user_id, username, session, address, target, destination, details)
    values (1000, 'compress', 'bad-name', 'user', 1, 'ann', 's', '192.0.2.1', '/old', '', '{"files":["${'n'.repeat(1_000_000)}"]}')`
  for (let n = 0; n < count; n += 1) await execute(database, insert)
}

test('large events of an earlier version are migrated, and are read, searched and deleted in small parts', async () => {
  const { database, remove } = await databaseIn(temporaryFolder())
  onTestFinished(remove)
  const { nowMs } = createClock()
  const older = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === 'audit size'),
  )
  await (await openRecords({ database, nowMs, migrations: older })).close()
  await addLargeEvents(database, 20)
  const records = await openRecords({ database, nowMs, auditBytes: 10_000_000 })
  onTestFinished(() => records.close())
  const { audit } = records
  const range = { beforeId: null, maxEvents: 500 }
  const { events } = await audit.find({ text: 'OLD' }, range)
  expect([events.length, JSON.stringify(events).length < 20_000]).toEqual([20, true])
  expect(events[0]).toMatchObject({ target: '/old', details: { omittedBytes: 1_000_014 } })
  await audit.add([sampleEvent({ target: '/new' })])
  expect((await targetsOf(audit, {})).length).toBeLessThan(12)
  while (await audit.removeBefore(2000));
  expect(await targetsOf(audit, {})).toEqual(['/new'])
})

test('a page ends after half a megabyte, and the next page continues there', async () => {
  const { audit } = await testRecords()
  await audit.add(
    Array.from({ length: 480 }, (_, n) =>
      sampleEvent({ target: `/${n} ${'t'.repeat(1900)}`, destination: `/${'d'.repeat(1900)}` }),
    ),
  )
  const { events, next } = await audit.find({}, { beforeId: null, maxEvents: 500 })
  expect([next !== null, JSON.stringify(events).length < 1024 * 1024]).toEqual([true, true])
  expect(new Set(await targetsOf(audit, {}, 500)).size).toBe(480)
})
