import { rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { share, guestStatuses, requestAsGuest } from '../../../test/kit/share.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { encodePath, pathOf, root } from '../../shared/domain/path.ts'
import type { StorageChange } from '../changes/change.ts'
import type { SharedPlacePage } from '../records/share-store.ts'
import { followChanges } from './follow-changes.ts'

/** These tests cover T27: shares move with their entries, and a share that has ended never becomes valid again. */
const files = {
  docs: { 'a.txt': 'hello', sub: { 'c.txt': 'deep' } },
  'docs 2': { 'e.txt': 'beside' },
  'one.txt': 'one',
}

async function move(app: TestApp, from: string, to: string, query: Readonly<Record<string, string>> = {}) {
  const destination = encodePath(pathOf(to) ?? root)
  const reply = await app.call('resources.transfer', {
    path: from,
    query: { action: 'rename', destination, ...query },
  })
  expect(reply.status).toBe(200)
  return reply
}

const removal: StorageChange = {
  id: 'one',
  kind: 'removed',
  path: root,
  scope: root,
  storedScope: '',
  userId: 1,
  username: 'ann',
  cause: causeOf('resources.remove'),
  atMs: 0,
}

const bytes = async (app: TestApp, rest: string) => (await requestAsGuest(app, 'dl', rest)).text()

describe('a share goes along', () => {
  test('with a rename and with a move, of a folder and of a file', async () => {
    const app = await startApp({ files })
    const [folder, file] = [await share(app, '/docs'), await share(app, '/one.txt')]
    await move(app, '/docs', '/papers %_ä')
    await move(app, '/one.txt', '/papers %_ä/sub/two.txt')
    expect(await bytes(app, `${folder.hash}/a.txt`)).toBe('hello')
    expect(await bytes(app, file.hash)).toBe('one')
    const listed = (await (await app.call('shares.list')).json()) as { path: string }[]
    expect(listed.map(({ path }) => path).toSorted()).toEqual(['/papers %_ä/', '/papers %_ä/sub/two.txt'])
  })

  test('with a folder above it, but not with a folder whose name has the same beginning', async () => {
    const app = await startApp({ files })
    const [deep, beside] = [await share(app, '/docs/sub/c.txt'), await share(app, '/docs 2')]
    await move(app, '/docs', '/moved')
    expect(await bytes(app, deep.hash)).toBe('deep')
    expect(await bytes(app, `${beside.hash}/e.txt`)).toBe('beside')
  })

  test('when a user with another scope moves it', async () => {
    const app = await startApp({
      files: { homes: { ann: files } },
      user: { scope: '/homes/ann' },
      users: { ada: { perm: { admin: true } } },
    })
    const { hash } = await share(app, '/docs/a.txt')
    const ada = await app.signIn('ada')
    await ada.call('resources.transfer', {
      path: '/homes/ann/docs',
      query: { action: 'rename', destination: '/homes/ann/papers' },
    })
    expect(await bytes(app, hash)).toBe('hello')
  })

  test('and shows the new bytes after its file was replaced', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs/a.txt')
    const query = { override: 'true' }
    await app.call('resources.create', { path: '/docs/a.txt', query, body: 'saved' })
    expect(await bytes(app, hash)).toBe('saved')
    await move(app, '/one.txt', '/docs/a.txt', query)
    expect(await bytes(app, hash)).toBe('one')
    await app.call('resources.create', { path: '/docs/' })
    expect(await bytes(app, hash)).toBe('one')
  })
})

describe('a share ends for good', () => {
  test.each([
    ['with its entry', '/docs', '/docs'],
    ['with a folder above it', '/docs/sub', '/docs'],
    ['with its file', '/docs/a.txt', '/docs/a.txt'],
  ])('%s', async (_case, shared, removed) => {
    const app = await startApp({ files })
    const { hash } = await share(app, shared)
    await app.call('resources.remove', { path: removed })
    expect(await app.records.shares.list()).toEqual([])
    await app.call('resources.create', { path: '/docs/sub/' })
    await app.call('resources.create', { path: '/docs/a.txt', body: 'another' })
    expect(await guestStatuses(app, hash)).toEqual([404, 404])
  })

  test('but not with an entry beside it', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs 2/e.txt')
    await app.call('resources.remove', { path: '/docs' })
    expect(await bytes(app, hash)).toBe('beside')
  })

  test.each([
    ['uploaded', (app: TestApp) => app.call('resources.create', { path: '/docs/a.txt', body: 'another' })],
    [
      'copied',
      (app: TestApp) =>
        app.call('resources.transfer', {
          path: '/one.txt',
          query: { action: 'copy', destination: '/docs/a.txt' },
        }),
    ],
    ['moved', (app: TestApp) => move(app, '/one.txt', '/docs/a.txt')],
  ])('when another program deleted it and a new one is %s', async (_case, make) => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs/a.txt')
    await rm(path.join(app.disk, 'docs/a.txt'))
    expect((await make(app)).status).toBe(200)
    expect(await guestStatuses(app, hash)).toEqual([404, 404])
  })

  test("when a folder moved to its parent's path has an entry at its path", async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs/sub/c.txt')
    await rm(path.join(app.disk, 'docs'), { recursive: true })
    await app.call('resources.create', { path: '/new/sub/c.txt', body: 'another' })
    await move(app, '/new', '/docs')
    expect(await guestStatuses(app, hash)).toEqual([404, 404])
  })
})

test('a database failure while earlier changes wait is reported, and ends no share', async () => {
  const first = Promise.withResolvers<SharedPlacePage>()
  const failure = new Error('the database is gone')
  const faults: unknown[] = []
  const listeners: ((change: StorageChange) => Promise<void>)[] = []
  const following = followChanges({
    shares: {
      hasWithin: () => Promise.reject(failure),
      sharedPlaces: () => first.promise,
      followMove: async () => {},
      endWithin: async () => {},
      endReplaced: async () => {},
      correctPlace: async () => {},
    },
    realPaths: { of: async (path) => path, clearCache: () => {} },
    disks: { diskOf: async () => null, isDiskMissing: async () => false },
    subscribe(listener) {
      listeners.push(listener)
      return () => {}
    },
    onFault: (error) => void faults.push(error),
  })
  const finished = listeners[0]?.(removal)
  for (const _ of 'abc') await new Promise((resolve) => setImmediate(resolve))
  first.resolve({ places: [], next: null })
  await finished
  await following.settled()
  expect(faults).toEqual([failure])
})

test('a change that the database cannot store for a moment is repeated', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/docs/a.txt')
  const { shares } = app.records
  const faults: unknown[] = []
  const listeners: ((change: StorageChange) => Promise<void>)[] = []
  const failures = [new AppError('unavailable'), new AppError('unavailable')]
  followChanges({
    shares: {
      ...shares,
      async endWithin(...change) {
        const failure = failures.pop()
        if (failure !== undefined) throw failure
        return shares.endWithin(...change)
      },
    },
    realPaths: { of: async (path) => path, clearCache: () => {} },
    disks: { diskOf: async () => null, isDiskMissing: async () => false },
    subscribe(listener) {
      listeners.push(listener)
      return () => {}
    },
    onFault: (error) => void faults.push(error),
  })
  expect(await shares.find(hash)).not.toBeNull()
  await listeners[0]?.(removal)
  expect([faults, await shares.list()]).toEqual([[], []])
})
