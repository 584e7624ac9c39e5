import { chmod, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp, treeOf } from '../../../test/kit/start-app.ts'

test('a new file is stored, and missing parent folders are created', async () => {
  const app = await startApp({ files: {} })
  const reply = await app.call('resources.create', { path: '/a/b/c.txt', body: 'C' })
  expect([reply.status, await reply.text()]).toEqual([200, '200 OK\n'])
  expect(reply.headers.get('etag')).toMatch(/^"[^"]+"$/)
  expect(await treeOf(app.disk)).toEqual({ a: { b: { 'c.txt': 'C' } } })
})

test('a taken name is refused, and nothing changes', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  const reply = await app.call('resources.create', { path: '/a.txt', body: 'new' })
  expect([reply.status, reply.headers.get('x-error'), await reply.text()]).toEqual([
    409,
    'name-taken',
    '409 Conflict\n',
  ])
  expect(await treeOf(app.disk)).toEqual({ 'a.txt': 'old' })
})

test('overwriting replaces the bytes and keeps the mode', async () => {
  const app = await startApp({ files: { 'a.txt': 'a longer old text' } })
  await chmod(path.join(app.disk, 'a.txt'), 0o604)
  const reply = await app.call('resources.create', {
    path: '/a.txt',
    query: { override: 'true' },
    body: 'new',
  })
  expect(reply.status).toBe(200)
  expect(await treeOf(app.disk)).toEqual({ 'a.txt': 'new' })
  expect((await stat(path.join(app.disk, 'a.txt'))).mode & 0o7777).toBe(0o604)
})

test.each([
  ['overwrite without the permission to modify', { modify: false }, '/a.txt', 'true', 403],
  ['overwrite with anything but true', {}, '/a.txt', '1', 409],
  ['overwrite a folder', {}, '/docs', 'true', 409],
  ['file where a folder is', {}, '/docs', undefined, 409],
  ['folder where a file is', {}, '/a.txt/', undefined, 409],
  ['file through a file', {}, '/a.txt/x', undefined, 404],
  ['folder through a file', {}, '/a.txt/x/', undefined, 404],
  ['file without the permission to create', { create: false }, '/new.txt', undefined, 403],
  ['name of white space', {}, '/%20', undefined, 400],
  ['name with a control character', {}, '/a%07', undefined, 400],
  ['name that is too long', {}, `/${'x'.repeat(256)}`, undefined, 400],
])('a refused upload changes nothing: %s', async (...[_case, perm, raw, override, status]) => {
  const files = { 'a.txt': 'A', docs: { 'b.txt': 'B' } }
  const app = await startApp({ files, user: { perm } })
  const query = override === undefined ? '' : `?override=${override}`
  const reply = await app.fetch(`/api/resources${raw}${query}`, { method: 'POST', body: 'new' })
  expect(reply.status).toBe(status)
  expect(await treeOf(app.disk)).toEqual(files)
})

test('a folder is created with its missing parents, and may exist already', async () => {
  const app = await startApp({ files: { docs: { 'a.txt': 'A' } } })
  const statuses = [
    (await app.fetch('/api/resources/x/y/', { method: 'POST' })).status,
    (await app.fetch('/api/resources/docs/', { method: 'POST' })).status,
  ]
  expect(statuses).toEqual([200, 200])
  expect(await treeOf(app.disk)).toEqual({ docs: { 'a.txt': 'A' }, x: { y: {} } })
})

test('a hidden dotfile cannot be created', async () => {
  const app = await startApp({ files: {}, user: { hideDotfiles: true } })
  expect((await app.call('resources.create', { path: '/.env', body: 'x' })).status).toBe(403)
  expect(await treeOf(app.disk)).toEqual({})
})

test.each([
  ['small', 'new'],
  ['large', 'x'.repeat(100_000)],
])(
  'a %s file that is uploaded keeps its modification time, also when it replaces a file',
  async (_, body) => {
    const app = await startApp({ files: {} })
    const keptMs = async (text: string | null, query = {}) => {
      const headers: Record<string, string> = text === null ? {} : { 'x-modified-ms': text }
      const reply = await app.call('resources.create', { path: '/a.txt', query, headers, body })
      const { mtimeMs } = await stat(path.join(app.disk, 'a.txt'))
      return [reply.status, Math.round(mtimeMs)]
    }
    const override = { override: 'true' }
    expect(await keptMs('1700000000123')).toEqual([200, 1_700_000_000_123])
    expect(await keptMs('1600000000000', override)).toEqual([200, 1_600_000_000_000])
    expect(await keptMs('-61200500', override)).toEqual([200, -61_200_500])
    // The etag consists of the time and the size, and must change with the bytes.
    await keptMs('1600000000000', override)
    expect((await keptMs('1600000000000', override))[1]).toBeGreaterThan(1_700_000_000_000)
  },
)

test('an impossible modification time is ignored', async () => {
  const app = await startApp({ files: {} })
  for (const [index, text] of [
    '0',
    '-62135596800001',
    '1e3',
    'x',
    '',
    '253402300800000',
    '99999999999999999',
  ].entries()) {
    const reply = await app.call('resources.create', {
      path: `/${index}`,
      headers: { 'x-modified-ms': text },
      body: 'x',
    })
    const { mtimeMs } = await stat(path.join(app.disk, String(index)))
    expect([text, reply.status, Math.abs(mtimeMs - Date.now()) < 60_000]).toEqual([text, 200, true])
  }
})
