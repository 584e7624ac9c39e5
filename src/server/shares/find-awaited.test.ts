import { rename, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { shareFields, testRecords, userFields } from '../../../test/kit/records.ts'
import { guestStatuses, requestAsGuest } from '../../../test/kit/share.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import type { ShareResource } from '../../shared/contract/shares.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { absentStorage } from '../access/absent-storage.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { ShareStore } from '../records/share-store.ts'
import { findAwaited } from './find-awaited.ts'
import { listVisibleShares } from './list-shares.ts'
import { admitGuest } from './open-share.ts'

/** These tests cover links that were taken over while their entries were away (decision 181). */
const at = (text: string): Path => pathOf(text) ?? root
const file: Entry = { name: 'a.txt', kind: 'file', sizeBytes: 1, modifiedMs: 0, mode: 0o100644, etag: '' }
const { signal } = new AbortController()

const addAwaited = ({ records, user }: Pick<TestApp, 'records' | 'user'>, hash: string, shared: string) =>
  records.shares.add(shareFields({ hash, userId: user.id, path: at(shared), kind: 'awaited' }))

describe('a link that was found while its files come back', () => {
  test.each([
    ['the folder above it', '/docs'],
    ['its own file', '/docs/a.txt'],
  ])('is not ended by the announcement of %s', async (_case, moved) => {
    const app = await startApp({ files: { away: { 'a.txt': 'hello' }, docs: {} } })
    await addAwaited(app, 'awaited', '/docs/a.txt')
    const onDisk = (name: string) => path.join(app.disk, name)
    const from = moved === '/docs' ? '/away' : '/away/a.txt'
    if (moved === '/docs') await rename(onDisk('docs'), onDisk('other'))
    // The entry is visible before its move is announced, and somebody opens the link in this time.
    await rename(onDisk(from), onDisk(moved))
    expect(await guestStatuses(app, 'awaited')).toEqual([200, 200])
    await rename(onDisk(moved), onDisk(from))
    const query = { action: 'rename', destination: moved }
    expect((await app.call('resources.transfer', { path: from, query })).status).toBe(200)
    expect(await (await requestAsGuest(app, 'dl', 'awaited')).text()).toBe('hello')
  })
})

test('an awaited link to a symbolic link gets the target inside the scope of its owner', async () => {
  const app = await startApp({
    files: { homes: { ann: { docs: { 'a.txt': 'hello' } }, bob: { 'b.txt': 'secret' } } },
    user: { scope: '/homes/ann' },
  })
  const home = path.join(app.disk, 'homes/ann')
  const links = { inside: 'docs/a.txt', folder: 'docs', outside: '../bob/b.txt', broken: 'gone' }
  for (const [name, target] of Object.entries(links)) {
    await symlink(target, path.join(home, name))
    await addAwaited(app, name, `/homes/ann/${name}`)
  }
  expect(await (await requestAsGuest(app, 'dl', 'inside')).text()).toBe('hello')
  expect(await (await requestAsGuest(app, 'dl', 'folder/a.txt')).text()).toBe('hello')
  expect(await app.records.shares.find('inside')).toMatchObject({
    path: '/homes/ann/docs/a.txt',
    kind: 'file',
  })
  for (const hash of ['outside', 'broken']) expect(await guestStatuses(app, hash)).toEqual([404, 404])
  await writeFile(path.join(home, 'gone'), 'back')
  expect(await guestStatuses(app, 'broken')).toEqual([200, 200])
})

/** Creates links that wait, on a storage whose every lookup has the given result. */
async function awaiting(lookUp: () => Entry, changes: Partial<ShareStore> = {}) {
  const records = await testRecords()
  const perm = { ...userFields({ username: 'x' }).perm, share: true, download: true }
  await records.users.add(userFields({ username: 'ann', perm }))
  const [user] = await records.users.list()
  for (const hash of ['one', 'two', 'three'])
    await records.shares.add(shareFields({ hash, path: at(`/${hash}.txt`), kind: 'awaited' }))
  const counted = { lookups: 0, tries: 0 }
  const dependencies = {
    ...records,
    permanentTokens: false,
    key: new Uint8Array(64),
    shares: { ...records.shares, ...changes },
    storageOf: async () => ({
      ...absentStorage,
      stat: async () => {
        counted.lookups += 1
        return lookUp()
      },
    }),
    realPaths: {
      ofTarget: async (given: Path) => given,
      ofScoped: async (_user: unknown, given: Path) => given,
      inScope: async (_user: unknown, given: Path) => given,
    },
    disks: { diskOf: async () => null, isDiskMissing: async () => false },
    runningReceptions: { list: () => [] },
    listTurns: createKeyedLimiter({ maxConcurrent: 1 }),
    settled: async () => undefined,
    throttleHashes: async <T>(_who: unknown, work: () => Promise<T | null>) => {
      const result = await work()
      if (result === null) counted.tries += 1
      return result
    },
    throttlePasswords: <T>(_who: unknown, work: () => Promise<T | null>) => work(),
    verifyPassword: async () => true,
    nowMs: () => 0,
  }
  const visit = (hash: string) =>
    admitGuest(dependencies, {
      path: at(`/${hash}`),
      token: undefined,
      passwords: [],
      address: '192.0.2.1',
      signal,
      runUnderPass: () => undefined,
    })
  const list = async () =>
    (await listVisibleShares(
      dependencies,
      { user: user!, may: () => true },
      { onlyOwn: true, reading: { hold: () => true, wait: async () => undefined }, signal },
    )) as readonly ShareResource[]
  return { records, dependencies, counted, visit, list, user: user! }
}

const failing = (code: ErrorCode) => (): Entry => {
  throw new AppError(code)
}

test.each(['timeout', 'unavailable'] as const)(
  'a disk that fails with %s is looked at once for a whole list, and is no unknown link for a guest',
  async (code) => {
    const { counted, visit, list } = await awaiting(failing(code))
    expect((await list()).map(({ isAwaited }) => isAwaited)).toEqual([true, true, true])
    expect(counted.lookups).toBe(1)
    await expect(visit('one')).rejects.toMatchObject({ code })
    expect(counted.tries).toBe(0)
  },
)

test.each(['not-found', 'forbidden', 'not-a-folder'] as const)(
  'a link whose entry is away with %s is an unknown link, and does not end the search of a list',
  async (code) => {
    const { counted, visit, list } = await awaiting(failing(code))
    expect((await list()).map(({ isAwaited }) => isAwaited)).toEqual([true, true, true])
    expect(counted.lookups).toBe(3)
    await expect(visit('one')).rejects.toMatchObject({ code: 'not-found' })
    expect(counted.tries).toBe(1)
  },
)

const refuseToStore = async (): Promise<boolean> => {
  throw new AppError('unavailable')
}

test('a link whose entry is found works while the database cannot be written', async () => {
  const { visit, records } = await awaiting(() => file, { setFound: refuseToStore })
  expect((await visit('one')).share.kind).toBe('file')
  expect((await records.shares.find('one'))?.kind).toBe('awaited')
})

test('of two visits that find an entry at the same time, both open it, and a link that was moved meanwhile waits', async () => {
  const { dependencies, records, user } = await awaiting(() => file)
  const [one, two] = [(await records.shares.find('one'))!, (await records.shares.find('two'))!]
  const visits = [one, one].map((share) => findAwaited(dependencies, share, user, { signal }))
  expect((await Promise.all(visits)).map((found) => found?.kind)).toEqual(['file', 'file'])
  await records.shares.followMove({ from: at('/two.txt'), to: at('/moved.txt'), isNew: true })
  expect(await findAwaited(dependencies, two, user, { signal })).toBeNull()
  expect(await records.shares.find('two')).toMatchObject({ path: '/moved.txt', kind: 'awaited' })
})
