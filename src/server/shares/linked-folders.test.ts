import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { share, guestStatuses, requestAsGuest } from '../../../test/kit/share.ts'
import { startApp, type TestApp, type SignedInUser } from '../../../test/kit/start-app.ts'
import type { ShareResource } from '../../shared/contract/shares.ts'

/**
 * These tests cover T27 for entries that have several paths because a link leads to their folder or to a user's scope.
 */
const files = {
  docs: { 'a.txt': 'hello', sub: { 'c.txt': 'deep' } },
  link: { link: 'docs' },
  homes: { ann: { 'a.txt': 'hers', 'b.txt': 'beside' } },
  ann: { link: 'homes/ann' },
}

const put = (person: SignedInUser, at: string) =>
  person.call('resources.create', { path: at, body: 'another' })
const bytes = async (app: TestApp, hash: string) => (await requestAsGuest(app, 'dl', hash)).text()
const rename = async (person: SignedInUser, from: string, to: string) => {
  const query = { action: 'rename', destination: to }
  expect((await person.call('resources.transfer', { path: from, query })).status).toBe(200)
}
const pathsOf = async (reply: Response) => ((await reply.json()) as ShareResource[]).map((one) => one.path)

describe('an entry that is reached through a link to its folder', () => {
  test.each([
    ['/link/a.txt', '/docs/a.txt', '/docs/a.txt'],
    ['/docs/a.txt', '/link/a.txt', '/link/a.txt'],
    ['/link/a.txt', '/link/a.txt', '/docs/a.txt'],
    ['/link/sub/c.txt', '/docs/sub', '/docs/sub/c.txt'],
    ['/link/sub', '/docs', '/docs/sub/c.txt'],
  ])('shared as %s and removed as %s, does not show a new entry at %s', async (shared, removed, newPath) => {
    const app = await startApp({ files })
    const { hash } = await share(app, shared)
    expect(await guestStatuses(app, hash)).toEqual([200, 200])
    await app.call('resources.remove', { path: removed })
    expect((await put(app, newPath)).status).toBe(200)
    expect(await guestStatuses(app, hash)).toEqual([404, 404])
    expect(await app.records.shares.list()).toEqual([])
  })

  test('is shared by its real path, and found by either path', async () => {
    const app = await startApp({ files })
    const made = await share(app, '/link/a.txt')
    expect(made.path).toBe('/docs/a.txt')
    for (const at of ['/link/a.txt', '/docs/a.txt'])
      expect(await pathsOf(await app.call('shares.get', { path: at }))).toEqual(['/docs/a.txt'])
  })

  test('keeps its share when it is moved by either path', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs/a.txt')
    await rename(app, '/link/a.txt', '/link/sub/b.txt')
    expect(await bytes(app, hash)).toBe('hello')
    await rename(app, '/docs/sub', '/link/papers')
    expect(await bytes(app, hash)).toBe('hello')
    expect(await pathsOf(await app.call('shares.list'))).toEqual(['/docs/papers/b.txt'])
  })

  test('keeps its share when only the link is removed or changed', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/link/a.txt')
    await app.call('resources.remove', { path: '/link' })
    expect(await bytes(app, hash)).toBe('hello')
    await symlink('homes/ann', path.join(app.disk, 'link'))
    expect(await bytes(app, hash)).toBe('hello')
    await app.call('resources.remove', { path: '/link/a.txt' })
    expect(await bytes(app, hash)).toBe('hello')
  })
})

async function withLinkedScope() {
  const app = await startApp({ files, user: { scope: '/ann' }, users: { ada: { perm: { admin: true } } } })
  return { app, ada: await app.signIn('ada') }
}

describe('an entry of somebody whose scope is a link', () => {
  test('is shared by the path that its owner sees, and its share ends whoever removes the entry', async () => {
    const { app, ada } = await withLinkedScope()
    const made = await share(app, '/a.txt')
    expect(made.path).toBe('/a.txt')
    expect(await pathsOf(await app.call('shares.list'))).toEqual(['/a.txt'])
    expect(await bytes(app, made.hash)).toBe('hers')
    await ada.call('resources.remove', { path: '/homes/ann/a.txt' })
    expect((await put(ada, '/homes/ann/a.txt')).status).toBe(200)
    expect(await guestStatuses(app, made.hash)).toEqual([404, 404])
  })

  test('is shared as a whole scope, and its share ends with the folder', async () => {
    const { app, ada } = await withLinkedScope()
    const made = await share(app, '/')
    expect(made.path).toBe('/')
    expect(await bytes(app, `${made.hash}/b.txt`)).toBe('beside')
    await ada.call('resources.remove', { path: '/homes/ann' })
    expect((await put(ada, '/homes/ann/b.txt')).status).toBe(200)
    expect(await guestStatuses(app, `${made.hash}/b.txt`)).toEqual([404, 404])
  })
})
