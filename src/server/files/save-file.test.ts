import { chmod, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp, treeOf } from '../../../test/kit/start-app.ts'

test('saving replaces the content of a file, keeps its permission bits, and returns its new etag (contract 3.7)', async () => {
  const app = await startApp({ files: { docs: { 'a.txt': 'a longer old text' } } })
  await chmod(path.join(app.disk, 'docs/a.txt'), 0o604)
  const reply = await app.call('resources.save', { path: '/docs/a.txt', body: 'new' })
  expect([reply.status, await reply.text()]).toEqual([200, '200 OK\n'])
  expect(await treeOf(app.disk)).toEqual({ docs: { 'a.txt': 'new' } })
  expect((await stat(path.join(app.disk, 'docs/a.txt'))).mode & 0o7777).toBe(0o604)
  const raw = await app.call('raw.get', { path: '/docs/a.txt' })
  expect(raw.headers.get('etag')).toBe(reply.headers.get('etag'))
})

test('an empty body empties the file (contract 3.7)', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  expect((await app.fetch('/api/resources/a.txt', { method: 'PUT' })).status).toBe(200)
  expect(await treeOf(app.disk)).toEqual({ 'a.txt': '' })
})

const files = { 'a.txt': 'A', docs: { 'b.txt': 'B' }, secret: {} }

test.each([
  ['folder', {}, '/docs', 405],
  ['folder with a slash', {}, '/docs/', 405],
  ['folder with many slashes', {}, '//docs//', 405],
  ['root', {}, '', 405],
  ['root with a slash', {}, '/', 405],
  ['file with a slash', {}, '/a.txt/', 405],
  ['missing name with a slash', {}, '/none/', 405],
  ['missing file', {}, '/none.txt', 404],
  ['file in a missing folder', {}, '/none/a.txt', 404],
  ['path through a file', {}, '/a.txt/x', 404],
  ['file without the permission to modify', { modify: false }, '/a.txt', 403],
  ['denied path', {}, '/secret', 403],
  ['denied path with a slash', {}, '/secret/x/', 403],
])('a %s is not saved, and nothing changes (contract 1.4, 3.7)', async (...[_case, perm, raw, status]) => {
  const rules = [{ regex: false, allow: false, path: '/secret', regexp: null }]
  const app = await startApp({ files, user: { perm, rules } })
  const reply = await app.fetch(`/api/resources${raw}`, { method: 'PUT', body: 'new' })
  expect(reply.status).toBe(status)
  expect(await treeOf(app.disk)).toEqual(files)
})

test("saving through a link changes the link's target, and the link stays (contract 3.7)", async () => {
  const app = await startApp({
    files: { real: { 'a.txt': 'old' }, link: { link: 'real/a.txt' }, out: { link: '/etc/hostname' } },
  })
  expect((await app.call('resources.save', { path: '/link', body: 'new' })).status).toBe(200)
  expect((await app.call('resources.save', { path: '/out', body: 'new' })).status).toBe(403)
  expect(await treeOf(app.disk)).toEqual({
    real: { 'a.txt': 'new' },
    link: { link: '' },
    out: { link: '' },
  })
})

test('If-Match prevents overwriting a version that another user saved in the meantime: 412 (contract 3.7)', async () => {
  const app = await startApp({ files: { 'a.txt': 'first' } })
  const save = (ifMatch: string, body: string) =>
    app.call('resources.save', { path: '/a.txt', headers: { 'if-match': ifMatch }, body })
  const etag = (await app.call('raw.get', { path: '/a.txt' })).headers.get('etag') ?? ''
  const first = await save(`"other", ${etag}`, 'second')
  expect(first.status).toBe(200)
  const second = await save(etag, 'third')
  expect([second.status, second.headers.get('x-error')]).toEqual([412, 'changed-meanwhile'])
  expect((await save(`W/${first.headers.get('etag')}`, 'third')).status).toBe(412)
  expect(await treeOf(app.disk)).toEqual({ 'a.txt': 'second' })
  expect((await save('*', 'fourth')).status).toBe(200)
  expect(await treeOf(app.disk)).toEqual({ 'a.txt': 'fourth' })
})

test('when two users save the same version of a file concurrently, one of them is refused (contract 3.7)', async () => {
  const app = await startApp({ files: { 'a.txt': 'first' } })
  const etag = (await app.call('raw.get', { path: '/a.txt' })).headers.get('etag') ?? ''
  const save = (body: string) =>
    app.call('resources.save', { path: '/a.txt', headers: { 'if-match': etag }, body })
  const replies = await Promise.all([save('ann'), save('ben')])
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 412]))
})
