import { createHash } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'

const text = 'hello world\n'
const files = { docs: { 'a.txt': text, link: { link: 'a.txt' } } }

test.each(['md5', 'sha1', 'sha256', 'sha512'])(
  'the %s of a file comes in place of its content (contract 3.2)',
  async (algorithm) => {
    const app = await startApp({ files })
    const hex = createHash(algorithm).update(text).digest('hex')
    for (const asked of ['/docs/a.txt', '/docs/link']) {
      const reply = await app.call('resources.get', { path: asked, query: { checksum: algorithm } })
      const resource = (await reply.json()) as Record<string, unknown>
      expect(resource).toMatchObject({ path: asked, size: 12, type: 'text', checksums: { [algorithm]: hex } })
      expect(resource).not.toHaveProperty('content')
    }
  },
)

test.each([
  ['unknown', {}, '/docs/a.txt', 'crc32', 400],
  ['in upper case', {}, '/docs/a.txt', 'MD5', 400],
  ['empty', {}, '/docs/a.txt', '', 400],
  ['without the permission to download', { download: false }, '/docs/a.txt', 'md5', 403],
  ['of nothing', {}, '/docs/none', 'md5', 404],
  ['of a folder', {}, '/docs', 'md5', 200],
  ['unknown, of a folder', { download: false }, '/docs', 'crc32', 200],
])('a checksum %s (contract 1.6, 3.2)', async (...[_case, perm, asked, checksum, status]) => {
  const app = await startApp({ files, user: { perm } })
  const reply = await app.call('resources.get', { path: asked, query: { checksum } })
  expect(reply.status).toBe(status)
  expect(await reply.text()).not.toContain('checksums')
})

test('two checksums at once for each user, eight more wait, the next is 429 (security 3.8)', async () => {
  const app = await startApp({ files: { 'empty.txt': '', 'big.bin': '' }, people: { ben: {} } })
  await truncate(path.join(app.disk, 'big.bin'), 64 * 1024 ** 3)
  const leaving = new AbortController()
  const statuses: (number | string)[] = []
  const ask = () =>
    app
      .fetch('/api/resources/big.bin?checksum=md5', { signal: leaving.signal })
      .then((reply) => statuses.push(reply.status))
      .catch(() => statuses.push('left'))
  const asked = Array.from({ length: 11 }, ask)
  await expect.poll(() => statuses[0], { timeout: 8000 }).toBe(429)
  const other = await (await app.signIn('ben')).fetch('/api/resources/empty.txt?checksum=md5')
  expect(other.status).toBe(200)
  leaving.abort()
  await Promise.all(asked)
  // The work of those who have left has ended, or this one would wait behind it.
  expect((await app.fetch('/api/resources/empty.txt?checksum=md5')).status).toBe(200)
})

test('text comes as its bytes for whoever asks for its encoding (contract 3.2)', async () => {
  const latin = Uint8Array.from([0x6e, 0xe9, 0x3b, 0x31, 0x0a])
  const app = await startApp({ files: { 'a.csv': latin, 'a.zip': 'PK', docs: {} } })
  const asBytes = { headers: { 'x-encoding': 'true' } }
  const reply = await app.call('resources.get', { path: '/a.csv', ...asBytes })
  expect(reply.headers.get('content-type')).toBe('application/octet-stream')
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(new Uint8Array(await reply.arrayBuffer())).toEqual(latin)
  for (const asked of ['/a.zip', '/docs']) {
    const json = await app.call('resources.get', { path: asked, ...asBytes })
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
  const plain = await app.call('resources.get', { path: '/a.csv', headers: { 'x-encoding': '1' } })
  expect(await plain.json()).toMatchObject({ type: 'text', content: 'n\ufffd;1\n' })
})

test('text as bytes needs the permission to download; text that may not be changed is JSON (contract 3.2)', async () => {
  const asked = { path: '/docs/a.txt', headers: { 'x-encoding': 'true' } }
  const blind = await startApp({ files, user: { perm: { download: false } } })
  expect((await blind.call('resources.get', asked)).status).toBe(403)
  const reader = await startApp({ files, user: { perm: { modify: false } } })
  expect(await (await reader.call('resources.get', asked)).json()).toMatchObject({
    type: 'textImmutable',
    content: text,
  })
})
