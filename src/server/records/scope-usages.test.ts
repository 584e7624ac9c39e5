import { expect, test } from 'vitest'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { root } from '../../shared/domain/path.ts'
import type { GrantRequest, ScopeUsageChange, ScopeUsageStore as Store } from './scope-usage-record.ts'

const [one, other] = ['one', 'other']

const changeOf = (change: Partial<ScopeUsageChange> = {}): ScopeUsageChange => ({
  key: 'scope',
  scope: root,
  addedBytes: 0,
  addedAtScan: null,
  more: 0,
  less: 0,
  grantBefore: 0,
  grantBytes: 0,
  isMoving: false,
  wants: false,
  ...change,
})

const requestOf = (bytes: number, more: Partial<GrantRequest> = {}): GrantRequest => ({
  limit: { key: 'scope', quotaBytes: 100 },
  scopes: [{ key: 'scope', bytes }],
  extraBytes: 0,
  takesAll: false,
  ...more,
})

const usageIn = async (store: Store) => (await store.read(['scope']))[0]

const grantsIn = async (store: Store) =>
  Object.fromEntries(((await usageIn(store))?.grants ?? []).map(({ server, bytes }) => [server, bytes]))

/** Begins a scan with the number of scans that the records contain. */
const beginScan = async (store: Store, server: string, key = 'scope', ended: readonly string[] = []) => {
  const scans = (await store.read([key]))[0]?.scans ?? 0
  return store.beginScan(server, { key, scope: root, scans }, ended)
}

const storeOf = async () => {
  const clock = createClock()
  return { clock, store: (await testRecords(clock)).scopeUsages }
}

test('servers are granted no more bytes together than the quota has', async () => {
  const { store } = await storeOf()
  const ask = async (server: string, change: Partial<ScopeUsageChange>, requests: readonly GrantRequest[]) =>
    (await store.change({ server, changes: [changeOf(change)], grants: requests })).extraBytes
  expect(await ask(one, {}, [requestOf(60), requestOf(41), requestOf(30)])).toEqual([0, null, 0])
  expect(await ask(other, {}, [requestOf(11), requestOf(10), requestOf(0)])).toEqual([null, 0, 0])
  expect(await grantsIn(store)).toEqual({ one: 90, other: 10 })
  // The first server has stored 50 bytes, and gives the rest back.
  expect(await ask(one, { addedBytes: 50, grantBefore: 90, grantBytes: 0 }, [])).toEqual([])
  expect([(await usageIn(store))?.bytes, await grantsIn(store)]).toEqual([50, { other: 10 }])
  expect(await ask(other, { grantBefore: 10, grantBytes: 10 }, [requestOf(40), requestOf(1)])).toEqual([
    0,
    null,
  ])
})

test('more bytes than requested are granted only far from the limit, and none while another server wants them', async () => {
  const { clock, store } = await storeOf()
  const ask = async (request: GrantRequest, wants = false) =>
    (await store.change({ server: one, changes: [changeOf({ wants })], grants: [request] })).extraBytes
  expect(await ask(requestOf(4, { extraBytes: 1000 }))).toEqual([6])
  expect(await ask(requestOf(90, { extraBytes: 1000 }))).toEqual([0])
  expect(await ask(requestOf(4, { extraBytes: 1000, takesAll: true }))).toEqual([96])
  expect(await ask(requestOf(4, { extraBytes: 1000 }), true)).toEqual([0])
  clock.advance(3001)
  expect(await ask(requestOf(4, { extraBytes: 1000 }))).toEqual([6])
})

test('only one server scans a scope, unless its scan is abandoned or the server has ended', async () => {
  const { clock, store } = await storeOf()
  const begin = async (server: string, ended: readonly string[] = []) =>
    (await beginScan(store, server, 'scope', ended)).hasBegun
  expect([await begin(one), await begin(other), await begin(other, [one])]).toEqual([true, false, true])
  clock.advance(10_001)
  expect([await begin(one), await begin(other)]).toEqual([true, false])
  await store.cancelScan(other, 'scope')
  expect(await begin(other)).toBe(false)
  await store.cancelScan(one, 'scope')
  expect(await begin(other)).toBe(true)
})

test('a scan does not begin when another one has begun since the server looked', async () => {
  const { store } = await storeOf()
  const { usage: start } = await beginScan(store, one)
  await store.endScan({ key: 'scope', server: one, start, bytes: 9, startedAtMs: 0, machine: '' })
  const late = await store.beginScan(other, { key: 'scope', scope: root, scans: 0 }, [])
  expect([late.hasBegun, late.usage.bytes]).toEqual([false, 9])
  expect((await beginScan(store, other)).hasBegun).toBe(true)
})

test('each change of a usage increases its revision, also the end of a scan without a result', async () => {
  const { store } = await storeOf()
  const revision = async () => (await usageIn(store))?.revision
  await beginScan(store, one)
  expect(await revision()).toBe(1)
  await store.cancelScan(one, 'scope')
  expect(await revision()).toBe(2)
})

test('a scan counts what was added meanwhile, and does not lower the bytes when entries were renamed', async () => {
  const { clock, store } = await storeOf()
  const scan = async (bytes: number, meanwhile: Partial<ScopeUsageChange> | null) => {
    const { usage: start } = await beginScan(store, one)
    if (meanwhile !== null) await store.change({ server: other, changes: [changeOf(meanwhile)], grants: [] })
    const startedAtMs = clock.nowMs()
    const ended = await store.endScan({ key: 'scope', server: one, start, bytes, startedAtMs, machine: '' })
    return [ended.bytes, ended.isDisturbed, ended.scannedAtMs === startedAtMs]
  }
  expect(await scan(50, { isMoving: true })).toEqual([50, true, false])
  expect(await scan(40, { isMoving: true })).toEqual([50, true, false])
  expect(await scan(40, { isMoving: false })).toEqual([50, true, false])
  expect(await scan(40, null)).toEqual([40, false, true])
  expect(await scan(40, { addedBytes: 5, addedAtScan: 4 })).toEqual([45, true, true])
  expect(await scan(45, null)).toEqual([45, false, true])
})

test('bytes that a scan may have found as well make the number inexact', async () => {
  const { clock, store } = await storeOf()
  const { usage: start } = await beginScan(store, one)
  await store.endScan({ key: 'scope', server: one, start, bytes: 9, startedAtMs: clock.nowMs(), machine: '' })
  const add = async (addedAtScan: number | null) =>
    (await store.change({ server: one, changes: [changeOf({ addedBytes: 1, addedAtScan })], grants: [] }))
      .usages[0]
  expect(await add(1)).toMatchObject({ bytes: 10, isDisturbed: false })
  expect(await add(0)).toMatchObject({ bytes: 11, isDisturbed: true })
})

test('the grants of servers that have ended are removed by a scan, and the scope counts as never scanned until its end', async () => {
  const { store } = await storeOf()
  await store.change({ server: one, changes: [changeOf()], grants: [requestOf(60)] })
  await beginScan(store, other, 'scope', [one])
  expect([await grantsIn(store), (await usageIn(store))?.scannedAtMs]).toEqual([{}, 0])
  // The server was taken for ended while it was suspended. What it has stored may be missing.
  const { usages } = await store.change({
    server: one,
    changes: [changeOf({ addedBytes: 7, grantBefore: 60, grantBytes: 53 })],
    grants: [],
  })
  expect(usages[0]).toMatchObject({ bytes: 7, more: 1 })
})

test('the usage of a scope that nobody has used for a day is removed', async () => {
  const { clock, store } = await storeOf()
  const scan = async (key: string) => {
    const { usage: start } = await beginScan(store, one, key)
    await store.endScan({ key, server: one, start, bytes: 9, startedAtMs: clock.nowMs(), machine: '' })
  }
  const grant = (key: string) =>
    store.change({
      server: other,
      changes: [changeOf({ key })],
      grants: [{ ...requestOf(1), limit: { key, quotaBytes: 1 }, scopes: [{ key, bytes: 1 }] }],
    })
  await scan('old')
  await grant('ended')
  clock.advance(24 * 3_600_000 + 10_001)
  await grant('granted')
  await scan('new')
  expect((await store.list()).map(({ key }) => key).toSorted()).toEqual(['granted', 'new'])
})
