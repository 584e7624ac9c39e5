import { createHash } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'

const text = 'hello world\n'
const files = { docs: { 'a.txt': text, link: { link: 'a.txt' } } }

test.each(['md5', 'sha1', 'sha256', 'sha512'])(
  'the %s of a file replaces its content in the response (contract 3.2)',
  async (algorithm) => {
    const app = await startApp({ files })
    const hex = createHash(algorithm).update(text).digest('hex')
    for (const target of ['/docs/a.txt', '/docs/link']) {
      const reply = await app.call('resources.get', { path: target, query: { checksum: algorithm } })
      const resource = (await reply.json()) as Record<string, unknown>
      expect(resource).toMatchObject({
        path: target,
        size: 12,
        type: 'text',
        checksums: { [algorithm]: hex },
      })
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
])(
  'the response to a request for a checksum %s has the expected status (contract 1.6, 3.2)',
  async (...[_case, perm, target, checksum, status]) => {
    const app = await startApp({ files, user: { perm } })
    const reply = await app.call('resources.get', { path: target, query: { checksum } })
    expect(reply.status).toBe(status)
    expect(await reply.text()).not.toContain('checksums')
  },
)

test('a user can compute two checksums concurrently while eight more wait, and the next request is refused with 429 (security 3.8)', async () => {
  const app = await startApp({ files: { 'empty.txt': '', 'big.bin': '' }, users: { ben: {} } })
  await truncate(path.join(app.disk, 'big.bin'), 64 * 1024 ** 3)
  const disconnect = new AbortController()
  const statuses: (number | string)[] = []
  const requestChecksum = () =>
    app
      .fetch('/api/resources/big.bin?checksum=md5', { signal: disconnect.signal })
      .then((reply) => statuses.push(reply.status))
      .catch(() => statuses.push('left'))
  const pending = Array.from({ length: 11 }, requestChecksum)
  await expect.poll(() => statuses[0], { timeout: 8000 }).toBe(429)
  const other = await (await app.signIn('ben')).fetch('/api/resources/empty.txt?checksum=md5')
  expect(other.status).toBe(200)
  disconnect.abort()
  await Promise.all(pending)
  // This request would have to wait if the aborted requests were still being processed.
  expect((await app.fetch('/api/resources/empty.txt?checksum=md5')).status).toBe(200)
})

test('a request with X-Encoding for a text file returns its plain bytes (contract 3.2)', async () => {
  const latin = Uint8Array.from([0x6e, 0xe9, 0x3b, 0x31, 0x0a])
  const app = await startApp({ files: { 'a.csv': latin, 'a.zip': 'PK', docs: {} } })
  const asBytes = { headers: { 'x-encoding': 'true' } }
  const reply = await app.call('resources.get', { path: '/a.csv', ...asBytes })
  expect(reply.headers.get('content-type')).toBe('application/octet-stream')
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(new Uint8Array(await reply.arrayBuffer())).toEqual(latin)
  for (const target of ['/a.zip', '/docs']) {
    const json = await app.call('resources.get', { path: target, ...asBytes })
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
  const plain = await app.call('resources.get', { path: '/a.csv', headers: { 'x-encoding': '1' } })
  expect(await plain.json()).toMatchObject({ type: 'text', content: 'n\ufffd;1\n' })
})

test('plain bytes of a text need the permission to download, and a text that may not be modified stays JSON (contract 3.2)', async () => {
  const request = { path: '/docs/a.txt', headers: { 'x-encoding': 'true' } }
  const blind = await startApp({ files, user: { perm: { download: false } } })
  expect((await blind.call('resources.get', request)).status).toBe(403)
  const reader = await startApp({ files, user: { perm: { modify: false } } })
  expect(await (await reader.call('resources.get', request)).json()).toMatchObject({
    type: 'textImmutable',
    content: text,
  })
})
