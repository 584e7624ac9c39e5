import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'

const files = { 'notes.txt': 'some notes', 'page.html': '<script>1</script>', docs: { 'a b+ä.txt': 'inner' } }

test('a file is downloaded unchanged, under its own name', async () => {
  const app = await startApp({ files })
  const reply = await app.call('raw.get', { path: '/docs/a b+ä.txt' })
  expect([reply.status, await reply.text()]).toEqual([200, 'inner'])
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="a b+_.txt"; filename*=utf-8''a%20b+%C3%A4.txt`,
  )
})

test('`inline` shows text but never HTML', async () => {
  const app = await startApp({ files })
  const type = async (name: string) =>
    (await app.call('raw.get', { path: name, query: { inline: 'true' } })).headers.get('content-type')
  expect([await type('/notes.txt'), await type('/page.html')]).toEqual([
    'text/plain; charset=utf-8',
    'application/octet-stream',
  ])
})

test('ranges and conditional requests are supported', async () => {
  const app = await startApp({ files })
  const part = await app.call('raw.get', {
    path: '/notes.txt',
    query: { inline: 'true' },
    headers: { range: 'bytes=5-' },
  })
  expect([part.status, await part.text()]).toEqual([206, 'notes'])
  const etag = part.headers.get('etag') ?? 'none'
  const again = await app.call('raw.get', { path: '/notes.txt', headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

test.each([
  ['a missing file is 404', '/nope.txt', 404],
  ['a path below a file is 404', '/notes.txt/x', 404],
])('%s', async (_case, name, status) => {
  const app = await startApp({ files })
  expect((await app.call('raw.get', { path: name })).status).toBe(status)
})

test('a pipe is refused and never opened', async () => {
  const app = await startApp({ files })
  execFileSync('mkfifo', [path.join(app.disk, 'pipe')])
  expect((await app.call('raw.get', { path: '/pipe' })).status).toBe(403)
})

test('without the download permission, the responses for existing and missing files are the same', async () => {
  const app = await startApp({ files, user: { perm: { download: false } } })
  expect((await app.call('raw.get', { path: '/notes.txt' })).status).toBe(403)
  expect((await app.call('raw.get', { path: '/nope.txt' })).status).toBe(403)
})
