import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { causeOf } from '../../../../test/kit/change-cause.ts'
import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import { root, type Path } from '../../../shared/domain/path.ts'
import { bodyOf, gatedBody, volumeWith } from '../../../../test/kit/gated-body.ts'
import { treeOf } from '../../../../test/kit/tree.ts'
import type { StorageChange } from '../../changes/change.ts'
import type { Storage, Volume } from '../../storage/port.ts'
import { quotaServers, type TestQuotaServer } from '../../../../test/kit/quota-servers.ts'
import { withPolicies } from '../../storage/policy.ts'
import { quotaPolicy } from './quota-policy.ts'

const p = (text: string) => text as Path
const userId = 1

/** Returns the volume with a quota, as a server provides it to a user. */
function serverOn(volume: Volume, quotaBytes: number, server: TestQuotaServer): Storage {
  const count = server.usageOf(root)
  return withPolicies(volume, [quotaPolicy({ usage: count, quotaBytes, userId, rootInScope: root })])
}

const refusal = (work: Promise<unknown>): Promise<string | null> => work.then(() => null, codeOf)

const store = (storage: Storage, name: string, text: string, overwrite: 'create' | 'upsert' = 'create') =>
  storage.apply({ kind: 'write', path: p(name), body: bodyOf(text), overwrite, sizeBytes: text.length })

const partOf = (text: string, offsetBytes: number, maxBytes: number) => ({
  offsetBytes,
  maxBytes,
  body: bodyOf(text),
})

test('an upload that another server continues has its space reserved there from its next part on', async () => {
  const { volume, disk } = await volumeWith({ a: '123' })
  const servers = await quotaServers()
  const start = () => serverOn(volume, 10, servers.start(volume))
  const [one, other] = [start(), start()]
  const session = await one.apply({ kind: 'begin', path: p('/b'), overwrite: 'create', sizeBytes: 6 })
  await other.apply({ kind: 'put', overwrite: 'create', upload: session, part: partOf('abc', 0, 6) })
  expect(await refusal(store(other, '/c', '12'))).toBe('over-quota')
  await other.apply({ kind: 'put', overwrite: 'create', upload: session, part: partOf('def', 3, 3) })
  await other.apply({ kind: 'commit', upload: session, overwrite: 'create' })
  expect(await treeOf(disk)).toEqual({ a: '123', b: 'abcdef' })
  expect(await refusal(store(one, '/c', '12'))).toBe('over-quota')
  await store(one, '/c', '1')
})

test('a server started meanwhile refuses a part that no longer fits, and keeps the upload', async () => {
  const { volume } = await volumeWith({})
  const servers = await quotaServers()
  const start = () => serverOn(volume, 10, servers.start(volume))
  const session = await start().apply({
    kind: 'begin',
    path: p('/b'),
    overwrite: 'create',
    sizeBytes: 6,
  })
  const next = start()
  await store(next, '/a', '12345')
  expect(
    await refusal(
      next.apply({ kind: 'put', overwrite: 'create', upload: session, part: partOf('abc', 0, 6) }),
    ),
  ).toBe('over-quota')
  expect(await volume.received(session)).toBe(0)
  await volume.apply({ kind: 'remove', path: p('/a'), recursive: false })
  await next.apply({ kind: 'put', overwrite: 'create', upload: session, part: partOf('abcdef', 0, 6) })
  await start().apply({ kind: 'commit', upload: session, overwrite: 'create' })
})

test('an upload that was swept takes no space', async () => {
  const { volume } = await volumeWith({})
  const storage = serverOn(volume, 10, (await quotaServers()).start(volume))
  const { token } = await storage.apply({ kind: 'begin', path: p('/b'), overwrite: 'create', sizeBytes: 8 })
  expect(await refusal(store(storage, '/c', '123'))).toBe('over-quota')
  await volume.discard([token])
  await store(storage, '/c', '123')
})

test('the space of discarded uploads is free without a scan, also that of an upload from an earlier scope', async () => {
  const { volume } = await volumeWith({ ann: {} })
  const received: string[] = []
  const counting: Volume = {
    ...volume,
    received(session) {
      received.push(session.token)
      return volume.received(session)
    },
  }
  const quotas = (await quotaServers()).start(counting)
  const storageIn = (scope: Path): Storage =>
    withPolicies(volume, [
      quotaPolicy({ usage: quotas.usageOf(scope), quotaBytes: 10, userId, rootInScope: root }),
    ])
  const storage = storageIn(root)
  const { token } = await storage.apply({
    kind: 'begin',
    path: p('/ann/b'),
    overwrite: 'create',
    sizeBytes: 8,
  })
  expect(quotas.usageOf(p('/ann')).uploadOf(token)).toBeDefined()
  quotas.releaseUploads([token, 'unknown'])
  await volume.discard([token])
  expect(quotas.usageOf(p('/ann')).uploadOf(token)).toBeUndefined()
  await store(storage, '/c', '123')
  expect(received).toEqual([])
})

test('the reservation of an upload that another server has ended is forgotten with the next scan', async () => {
  const { volume } = await volumeWith({})
  const usage = (await quotaServers()).start(volume).usageOf(root)
  const storage = withPolicies(volume, [quotaPolicy({ usage, quotaBytes: 10, userId, rootInScope: root })])
  const { token } = await storage.apply({ kind: 'begin', path: p('/b'), overwrite: 'create', sizeBytes: 8 })
  await volume.discard([token])
  expect(await refusal(store(storage, '/c', '123'))).toBeNull()
  expect(usage.uploadOf(token)).toBeUndefined()
})

test('the size of the file to be replaced is not deducted once that file is gone', async () => {
  const { volume, disk } = await volumeWith({ a: '0123456789' })
  const storage = serverOn(volume, 10, (await quotaServers()).start(volume))
  const { body, requested, open } = gatedBody('9876543210')
  const saving = storage.apply({ kind: 'write', path: p('/a'), body, overwrite: 'upsert', sizeBytes: 10 })
  await requested
  rmSync(path.join(disk, 'a'))
  expect(await refusal(store(storage, '/b', 'x'))).toBe('over-quota')
  open()
  await saving
  expect(await treeOf(disk)).toEqual({ a: '9876543210' })
})

test('two bodies of unannounced size share the free space, and nothing of either stays when it is used up', async () => {
  const { volume, disk } = await volumeWith({})
  const storage = serverOn(volume, 10, (await quotaServers()).start(volume))
  const [one, other] = [gatedBody('123456'), gatedBody('654321')]
  const writes = [one, other].map(({ body }, n) =>
    refusal(storage.apply({ kind: 'write', path: p(`/${n}`), body, overwrite: 'create' })),
  )
  await Promise.all([one.requested, other.requested])
  one.open()
  expect(await writes[0]).toBe(null)
  other.open()
  expect(await writes[1]).toBe('over-quota')
  expect(await treeOf(disk)).toEqual({ 0: '123456' })
})

/** Returns a storage whose second scan reads the sizes, but returns its result only when `open` is called. */
async function stoppingOn(volume: Volume) {
  const gate = Promise.withResolvers<void>()
  const counts = { made: 0 }
  const measure: Volume['measure'] = async (...args) => {
    const bytes = await volume.measure(...args)
    counts.made += 1
    if (counts.made === 2) await gate.promise
    return bytes
  }
  const count = (await quotaServers()).start({ ...volume, measure }).usageOf(root)
  return {
    storage: withPolicies(volume, [quotaPolicy({ usage: count, quotaBytes: 10, userId, rootInScope: root })]),
    counts,
    open: gate.resolve,
  }
}

test('bytes stored during a scan are counted', async () => {
  const { volume, disk } = await volumeWith({ a: '123' })
  const { storage, counts, open } = await stoppingOn(volume)
  await store(storage, '/b', '1')
  rmSync(path.join(disk, 'a'))
  const waiting = store(storage, '/big', '1234567')
  await expect.poll(() => counts.made).toBe(2)
  await store(storage, '/c', '12')
  open()
  await waiting
  expect(counts.made).toBe(2)
  expect(await refusal(store(storage, '/d', '1'))).toBe('over-quota')
})

test('a refusal based on a scan that was disturbed by a change is preceded by another scan', async () => {
  const { volume } = await volumeWith({ a: '123' })
  const { storage, counts, open } = await stoppingOn(volume)
  await store(storage, '/b', '1')
  const waiting = refusal(store(storage, '/big', '1234567'))
  await expect.poll(() => counts.made).toBe(2)
  await store(storage, '/c', '12')
  open()
  expect([await waiting, counts.made]).toEqual(['over-quota', 3])
  await store(storage, '/d', '1234')
})

test('a stored file whose reservation has not ended yet is counted once', async () => {
  const { volume } = await volumeWith({ a: '123' })
  const count = (await quotaServers()).start(volume).usageOf(root)
  const storage = withPolicies(volume, [
    quotaPolicy({ usage: count, quotaBytes: 10, userId, rootInScope: root }),
  ])
  const [fresh, saved] = [
    count.open({ path: p('/b'), userId, isNew: true }),
    count.open({ path: p('/a'), userId, isNew: false }),
  ]
  await fresh.claim(2, { quotaBytes: 10, signal: undefined })
  await saved.claim(5, { quotaBytes: 10, signal: undefined })
  await store(volume, '/b', '12')
  await store(volume, '/a', '12345', 'upsert')
  expect(await refusal(store(storage, '/c', '1234'))).toBe('over-quota')
  await store(storage, '/c', '123')
  fresh.keep()
  saved.keep()
  expect(await count.usedBytes()).toBe(10)
})

test('an aborted upload releases its space without another scan', async () => {
  const { volume } = await volumeWith({ a: '123' })
  const { storage, counts } = await stoppingOn(volume)
  const session = await storage.apply({ kind: 'begin', path: p('/b'), overwrite: 'create', sizeBytes: 7 })
  await storage.apply({ kind: 'abort', upload: session })
  await store(storage, '/c', '1234567')
  expect(counts.made).toBe(1)
})

test('the copy of a tree that grows meanwhile stops at the quota', async () => {
  const { volume, disk } = await volumeWith({ t: { a: '12', b: '34' } })
  const count = (await quotaServers()).start(volume).usageOf(root)
  const smaller = { ...volume, measure: async () => 2 }
  const to = (quotaBytes: number) =>
    withPolicies(smaller, [quotaPolicy({ usage: count, quotaBytes, userId, rootInScope: root })])
  const copied = (quotaBytes: number) =>
    refusal(to(quotaBytes).apply({ kind: 'copy', path: p('/t'), to: p('/u'), overwrite: 'create' }))
  expect(await copied(7)).toBe('over-quota')
  expect(await treeOf(disk)).toEqual({ t: { a: '12', b: '34' } })
  expect(await copied(8)).toBe(null)
  expect(await count.usedBytes()).toBe(8)
})

test('a scan that failed is repeated', async () => {
  const { volume } = await volumeWith({ a: '123' })
  let isDown = true
  const measure: Volume['measure'] = async (...args) => {
    if (isDown) throw new AppError('unavailable')
    return volume.measure(...args)
  }
  const count = (await quotaServers()).start({ ...volume, measure }).usageOf(root)
  const storage = withPolicies(volume, [
    quotaPolicy({ usage: count, quotaBytes: 4, userId, rootInScope: root }),
  ])
  expect(await refusal(store(storage, '/b', '1'))).toBe('unavailable')
  isDown = false
  await store(storage, '/b', '1')
  expect(await refusal(store(storage, '/c', '1'))).toBe('over-quota')
})

test('a scan ends when nobody waits for it any more, and not before', async () => {
  const { volume } = await volumeWith({ a: '123' })
  const { promise: begun, resolve: onBegin } = Promise.withResolvers<void>()
  let scans = 0
  const measure: Volume['measure'] = async (at, options) => {
    scans += 1
    if (scans > 1) return volume.measure(at, options)
    onBegin()
    return new Promise((_, reject) => {
      options?.signal?.addEventListener('abort', () => reject(new AppError('aborted')))
    })
  }
  const storage = serverOn(volume, 10, (await quotaServers()).start({ ...volume, measure }))
  const requests = [new AbortController(), new AbortController()]
  const outcomes: (string | null)[] = []
  const asking = requests.map(async ({ signal }) =>
    outcomes.push(await refusal(storage.usage(root, { signal }))),
  )
  await begun
  requests[0]!.abort()
  await asking[0]
  expect(outcomes).toEqual(['aborted'])
  requests[1]!.abort()
  await asking[1]
  expect([outcomes, scans]).toEqual([['aborted', 'aborted'], 1])
  expect([(await storage.usage(root)).usedBytes, scans]).toEqual([3, 2])
})

test('bytes stored through a narrower storage count for the whole scope', async () => {
  const { volume } = await volumeWith({ a: '12345', sub: { b: '1' } })
  const narrow = await serverOn(volume, 10, (await quotaServers()).start(volume)).narrow({ at: p('/sub') })
  expect(await refusal(store(narrow, '/c', '12345'))).toBe('over-quota')
  await store(narrow, '/b', '12345', 'upsert')
  expect(await refusal(store(narrow, '/c', '1'))).toBe('over-quota')
})

const changeOf = (at: string, more: Partial<StorageChange> = {}): StorageChange => ({
  id: 'one',
  cause: causeOf('resources.create'),
  userId,
  username: 'ann',
  scope: root,
  storedScope: '',
  kind: 'created',
  path: p(at),
  atMs: 0,
  ...more,
})

test('a change is noted in the usage of each scope that it concerns, unless the scopes have counted its bytes', async () => {
  const { volume, disk } = await volumeWith({ team: { ann: { a: '12' } }, b: '1' })
  const quotas = (await quotaServers()).start(volume)
  const [team, ann] = [quotas.usageOf(p('/team')), quotas.usageOf(p('/team/ann'))]
  const both = async () => [await team.usedBytes(), await ann.usedBytes()]
  expect(await both()).toEqual([2, 2])
  writeFileSync(path.join(disk, 'team/ann/b'), '345')
  quotas.recordChange(changeOf('/elsewhere/b'))
  quotas.recordChange(changeOf('/team/ann/b', { isCounted: true }))
  expect(await both()).toEqual([2, 2])
  quotas.recordChange(changeOf('/team/ann/b'))
  expect(await both()).toEqual([5, 5])
  for (const [kind, from, to, sizes] of [
    ['moved', 'b', 'team/ann/b2', [6, 6]],
    ['moved', 'team/ann/b2', 'team/b2', [6, 5]],
    ['moved', 'team/b2', 'team/ann/b2', [6, 6]],
    ['moved', 'team/ann', 'ann', [0, 0]],
    ['moved', 'ann', 'team/ann', [6, 6]],
  ] as const) {
    renameSync(path.join(disk, from), path.join(disk, to))
    quotas.recordChange(changeOf(`/${from}`, { kind, to: p(`/${to}`), isCounted: true }))
    expect(await both()).toEqual(sizes)
  }
  rmSync(path.join(disk, 'team'), { recursive: true })
  quotas.recordChange(changeOf('/team', { kind: 'removed', isCounted: true }))
  expect(await both()).toEqual([0, 0])
})
