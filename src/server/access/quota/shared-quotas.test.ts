import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { causeOf } from '../../../../test/kit/change-cause.ts'
import { bodyOf, gatedBody, volumeWith } from '../../../../test/kit/gated-body.ts'
import { quotaServers, type TestQuotaServer } from '../../../../test/kit/quota-servers.ts'
import { treeOf, type FileTree } from '../../../../test/kit/tree.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import { root, type Path } from '../../../shared/domain/path.ts'
import type { StorageChange } from '../../changes/change.ts'
import { withPolicies } from '../../storage/policy.ts'
import type { Storage, Volume } from '../../storage/port.ts'
import { quotaPolicy } from './quota-policy.ts'

const p = (text: string) => text as Path

type Person = { readonly userId?: number | null; readonly scope?: string; readonly quotaBytes?: number }

/** Returns a folder that servers of one state serve together, and the number of scans that they have made. */
async function sharedFolder(tree: FileTree = {}) {
  const { disk, volume } = await volumeWith(tree)
  const servers = await quotaServers()
  const scans: { made: number; end?: Promise<void> } = { made: 0 }
  const measure: Volume['measure'] = async (...args) => {
    scans.made += 1
    const { end } = scans
    const bytes = await volume.measure(...args)
    await end
    return bytes
  }
  const start = (slowness?: () => Promise<void>) => {
    const server = servers.start({ ...volume, measure }, slowness)
    return { server, storage: (person?: Person) => storageOf(volume, server, person) }
  }
  return { ...servers, disk, volume, scans, start }
}

async function storageOf(
  volume: Volume,
  server: TestQuotaServer,
  { userId = 1, scope = '/', quotaBytes = 10 }: Person = {},
): Promise<Storage> {
  const storage = scope === '/' ? volume : await volume.narrow({ at: p(scope) })
  const usage = server.usageOf(p(scope))
  return withPolicies(storage, [quotaPolicy({ usage, quotaBytes, userId, rootInScope: root })])
}

const refusal = (work: Promise<unknown>): Promise<string | null> => work.then(() => null, codeOf)

const store = (storage: Storage, name: string, text: string) =>
  refusal(
    storage.apply({
      kind: 'write',
      path: p(name),
      body: bodyOf(text),
      overwrite: 'upsert',
      sizeBytes: text.length,
    }),
  )

test('uploads to two servers do not exceed the quota together, and use all of it', async () => {
  const { start, volume } = await sharedFolder()
  const storages = await Promise.all(
    [start(), start()].map(({ storage }) => storage({ quotaBytes: 100_000 })),
  )
  const [text, outcomes] = ['x'.repeat(7001), [] as (string | null)[]]
  for (let round = 0; round < 8; round += 1)
    outcomes.push(
      ...(await Promise.all(
        storages.flatMap((storage, index) =>
          [0, 1].map((n) => store(storage, `/${round} ${index} ${n}`, text)),
        ),
      )),
    )
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(14)
  expect(new Set(outcomes)).toEqual(new Set([null, 'over-quota']))
  expect(await volume.measure(root)).toBe(14 * 7001)
  const rest = 100_000 - 14 * 7001
  expect([
    await store(storages[0]!, '/rest', 'x'.repeat(rest)),
    await store(storages[1]!, '/more', 'x'),
  ]).toEqual([null, 'over-quota'])
})

test('bytes count at another server as they arrive, and no longer after their upload has failed', async () => {
  const { start } = await sharedFolder()
  const [one, other] = [start(), start()]
  const [guest, owner] = [await one.storage({ userId: null }), await other.storage()]
  const { promise: held, resolve: fail } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: onArrived } = Promise.withResolvers<void>()
  async function* body() {
    yield Buffer.from('1234567')
    onArrived()
    await held
    throw new Error('the connection is lost')
  }
  const upload = refusal(guest.apply({ kind: 'write', path: p('/g'), body: body(), overwrite: 'create' }))
  await arrived
  expect([await store(owner, '/a', '1234'), await store(owner, '/b', '123')]).toEqual(['over-quota', null])
  fail()
  expect(await upload).not.toBeNull()
  expect(await store(owner, '/a', '1234567')).toBe(null)
})

test('a server decides by what another one has stored meanwhile for people with another quota or in an inner scope', async () => {
  const { start, volume } = await sharedFolder({ home: { bea: {} } })
  const [one, other] = [start(), start()]
  const small = await one.storage({ scope: '/home', quotaBytes: 100 })
  const { body, requested, open } = gatedBody('x'.repeat(50))
  const saving = refusal(
    small.apply({ kind: 'write', path: p('/a'), body, overwrite: 'upsert', sizeBytes: 50 }),
  )
  await requested
  const inner = await other.storage({ scope: '/home/bea', userId: 2, quotaBytes: 1000 })
  const large = await other.storage({ scope: '/home', userId: 3, quotaBytes: 1000 })
  expect([await store(inner, '/b', 'x'.repeat(40)), await store(large, '/c', 'x'.repeat(20))]).toEqual([
    null,
    null,
  ])
  open()
  expect([await saving, await volume.measure(p('/home'))]).toEqual(['over-quota', 60])
  expect([await store(small, '/a', 'x'.repeat(41)), await store(small, '/a', 'x'.repeat(40))]).toEqual([
    'over-quota',
    null,
  ])
})

const changeOf = (change: Pick<StorageChange, 'kind' | 'path' | 'to'>): StorageChange => ({
  id: 'one',
  cause: causeOf('resources.create'),
  userId: 2,
  username: 'admin',
  scope: root,
  storedScope: '',
  atMs: 0,
  ...change,
})

test('what somebody without a quota stores at another server counts soon', async () => {
  const { start, volume } = await sharedFolder({ home: {} })
  const [one, other] = [start(), start()]
  const storage = await one.storage({ scope: '/home' })
  expect(await store(storage, '/a', '1')).toBe(null)
  await store(volume, '/home/b', '12345678')
  other.server.recordChange(changeOf({ kind: 'created', path: p('/home/b') }))
  await expect.poll(() => one.server.usageOf(p('/home')).usedBytes()).toBe(9)
  expect(await store(storage, '/c', '12')).toBe('over-quota')
})

test.each(['asks before the search', 'stops before the search', 'searches again after a failure'])(
  'a folder that is copied over the scope of somebody at another server counts there, also when this server %s',
  async (when) => {
    const { start, store: records, disk } = await sharedFolder({ ann: { bea: { a: '1' } } })
    const list = records.list.bind(records)
    let failures = when === 'searches again after a failure' ? 1 : 0
    records.list = async () => {
      failures -= 1
      if (failures >= 0) throw new Error('the database is locked')
      return list()
    }
    const [one, other] = [start().server, start().server]
    const bytes = () => one.usageOf(p('/ann/bea')).usedBytes()
    expect(await bytes()).toBe(1)
    writeFileSync(path.join(disk, 'ann/bea/b'), '1234')
    other.recordChange({ ...changeOf({ kind: 'copied', path: p('/x'), to: p('/ann') }), isCounted: true })
    const asked = when === 'asks before the search' ? await other.usageOf(p('/ann/bea')).usedBytes() : 5
    expect(asked).toBe(5)
    if (when === 'stops before the search') await other.close()
    await expect.poll(bytes).toBe(5)
  },
)

test('no server scans a scope that another one has just scanned, also when both start together', async () => {
  const { clock, start, scans, disk } = await sharedFolder({ a: '123' })
  const [one, other] = [start(), start()]
  const used = () => Promise.all([one, other].map(({ server }) => server.usageOf(root).usedBytes()))
  expect([await used(), scans.made]).toEqual([[3, 3], 1])
  await one.server.close()
  expect([await start().server.usageOf(root).usedBytes(), scans.made]).toEqual([3, 1])
  // Bytes that other programs store are found after five minutes.
  writeFileSync(path.join(disk, 'b'), '1234')
  clock.advance(5 * 60_000 + 1)
  expect([await used(), scans.made]).toEqual([[7, 7], 2])
})

test('a server whose scan another one has overtaken uses the result of that one', async () => {
  const { start, scans } = await sharedFolder({ a: '123' })
  const { server: first } = start()
  const { server: overtaken } = start(async () => void (await first.usageOf(root).usedBytes()))
  expect([await overtaken.usageOf(root).usedBytes(), scans.made]).toEqual([3, 1])
})

test('the scan of a server that was killed is made by another one at once', async () => {
  const { start, scans } = await sharedFolder({ a: '123' })
  scans.end = new Promise(() => {})
  const killed = start()
  killed.server
    .usageOf(root)
    .usedBytes()
    .catch(() => {})
  await expect.poll(() => scans.made).toBe(1)
  delete scans.end
  killed.server.kill()
  let changes = 0
  const { server: next } = start(async () => void (changes += 1))
  expect([await next.usageOf(root).usedBytes(), scans.made]).toEqual([3, 2])
  expect(changes).toBeLessThan(5)
})

test('a server notices that the record of a scope was removed and made again', async () => {
  const { clock, start, scans } = await sharedFolder({ a: '123' })
  const [one, other] = [start().server, start().server]
  for (let n = 0; n < 5; n += 1) {
    clock.advance(5 * 60_000 + 1)
    await one.usageOf(root).usedBytes()
  }
  clock.advance(25 * 60 * 60_000)
  // A scan of any scope removes the records that nobody has used for a day.
  await other.usageOf(p('/b')).usedBytes()
  await other.usageOf(root).usedBytes()
  const before = scans.made
  expect([await one.usageOf(root).usedBytes(), scans.made - before]).toEqual([3, 0])
})

test('a server that needs the bytes of a scope during the scan of another one waits for its result', async () => {
  const { start, scans, store: records } = await sharedFolder({ a: '123' })
  const [one, other] = [start(), start()]
  const { promise, resolve: end } = Promise.withResolvers<void>()
  scans.end = promise
  const first = one.server.usageOf(root).usedBytes()
  await expect.poll(() => scans.made).toBe(1)
  const second = other.server.usageOf(root).usedBytes()
  // The second server reads the records, too, and so learns of the scan.
  for (let n = 0; n < 20; n += 1) await records.list()
  end()
  expect([await first, await second, scans.made]).toEqual([3, 3, 1])
})

test('what a killed server had reserved is counted until the next scan, and then what it has stored', async () => {
  const { start, disk, scans, store: records } = await sharedFolder()
  const killed = start()
  const storage = await killed.storage({ quotaBytes: 1000 })
  expect(await store(storage, '/a', '12345')).toBe(null)
  killed.server.kill()
  const next = start()
  const found = (await records.list()).map(({ key }) => key)
  expect((await records.read(found))[0]?.grants[0]?.bytes).toBeGreaterThanOrEqual(5)
  expect([await next.server.usageOf(root).usedBytes(), scans.made]).toEqual([5, 2])
  expect((await records.read(found))[0]?.grants).toEqual([])
  expect(await treeOf(disk)).toEqual({ a: '12345' })
  rmSync(path.join(disk, 'a'))
  expect(await store(await next.storage(), '/b', '1234567890')).toBe(null)
})

const shrink = (storage: Storage) => store(storage, '/a', '1')

const remove = (storage: Storage) =>
  refusal(storage.apply({ kind: 'remove', path: p('/b'), recursive: false }))

test('what a killed server had removed or made smaller is counted again', async () => {
  const { start } = await sharedFolder({ a: '12345', b: '12345' })
  for (const [change, bytes] of [
    [shrink, 6],
    [remove, 1],
  ] as const) {
    const killed = start()
    const storage = await killed.storage()
    await killed.server.usageOf(root).usedBytes()
    expect(await change(storage)).toBe(null)
    killed.server.kill()
    expect(await start().server.usageOf(root).usedBytes()).toBe(bytes)
  }
})

test('what a killed server had removed is counted again, although its records took half a second to change', async () => {
  const { start } = await sharedFolder({ a: '12345', b: '12345' })
  const slowness = { ms: 0 }
  const killed = start(() => new Promise((resolve) => setTimeout(resolve, slowness.ms)))
  const storage = await killed.storage()
  await killed.server.usageOf(root).usedBytes()
  slowness.ms = 500
  expect(await remove(storage)).toBe(null)
  killed.server.kill()
  expect(await start().server.usageOf(root).usedBytes()).toBe(5)
})

/** Returns two people on two servers, where only the second server has used the outer scope. */
async function outerScopeElsewhere() {
  const { start, volume, store: records } = await sharedFolder({ home: {} })
  const [one, other] = [start(), start()]
  const usage = one.server.usageOf(p('/home'))
  const innerOf = (storage: Storage) =>
    withPolicies(storage, [quotaPolicy({ usage, quotaBytes: 1000, userId: 1, rootInScope: root })])
  const outer = await other.storage({ userId: 2, quotaBytes: 100 })
  const inner = innerOf(await volume.narrow({ at: p('/home') }))
  // The usage of the inner scope is exact then, so that the next upload to it does not look for other scopes.
  expect([await store(inner, '/warm', 'x'.repeat(25)), await store(outer, '/b', '1')]).toEqual([null, null])
  const expectShared = async () => {
    await expect
      .poll(async () => {
        const found = await records.read((await records.list()).map(({ key }) => key))
        return found.flatMap((record) => record.grants.map(({ bytes }) => bytes))
      })
      .toEqual([])
    const bytes = await volume.measure(root)
    expect(bytes).toBeLessThan(100)
    expect([
      await store(outer, '/c', 'x'.repeat(101 - bytes)),
      await store(outer, '/c', 'x'.repeat(100 - bytes)),
    ]).toEqual(['over-quota', null])
  }
  return { one, inner, innerOf, volume, expectShared }
}

test.each(['write', 'copy'] as const)(
  'what somebody stores by a %s counts in an outer scope that only another server has used',
  async (kind) => {
    const { inner, expectShared } = await outerScopeElsewhere()
    const stored =
      kind === 'write'
        ? store(inner, '/big', 'x'.repeat(50))
        : refusal(inner.apply({ kind, path: p('/warm'), to: p('/big'), overwrite: 'create' }))
    expect(await stored).toBe(null)
    await expectShared()
  },
)

test.each(['before', 'after'] as const)(
  'no grant falls below 0 when a server begins to count an outer scope %s an uploaded file has appeared',
  async (moment) => {
    const { one, innerOf, volume, expectShared } = await outerScopeElsewhere()
    const begin = async (at: string): Promise<void> => {
      if (at === moment) one.server.usageOf(root)
    }
    const narrow = await volume.narrow({ at: p('/home') })
    const apply: Storage['apply'] = async (change) => {
      const result = await narrow.apply(change)
      await begin('after')
      return result
    }
    const inner = innerOf({ ...narrow, apply })
    const change = {
      kind: 'write',
      path: p('/a'),
      body: bodyOf('x'.repeat(10)),
      overwrite: 'create',
    } as const
    expect(await refusal(inner.apply({ ...change, beforeCommit: () => begin('before') }))).toBe(null)
    await expectShared()
  },
)
