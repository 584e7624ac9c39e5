import { request } from 'node:http'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sendInChunks } from '../../../test/kit/send-in-chunks.ts'
import { startApp, treeOf, type App, type Person } from '../../../test/kit/start-app.ts'
import type { Tree } from '../../../test/kit/tree.ts'

const part = { 'content-type': 'application/offset+octet-stream' }

const begin = (who: Person, path: string, sizeBytes: number | string, query = {}) =>
  who.call('tus.begin', { path, query, headers: { 'upload-length': String(sizeBytes) } })

const put = (who: Person, path: string, offset: number | string, body: string) =>
  who.call('tus.continue', { path, headers: { ...part, 'upload-offset': String(offset) }, body })

const stateOf = async (who: Person, path: string) => {
  const { status, headers } = await who.call('tus.show', { path })
  return [status, headers.get('upload-offset'), headers.get('upload-length')]
}

/** Returns the tree of the served folder without staged files. */
const placedOn = async ({ disk }: App): Promise<Tree> => withoutStaged(await treeOf(disk))

const withoutStaged = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree)
      .filter(([name]) => !name.endsWith('.stowage-part'))
      .map(([name, it]) => [name, isFolder(it) ? withoutStaged(it) : it]),
  )

const isFolder = (it: Tree[string]): it is Tree => typeof it === 'object' && !(it instanceof Uint8Array)

/** Returns the names in the served folder, staged files included. */
const namesOn = ({ disk }: App): string[] => readdirSync(disk).toSorted()

test('an upload in three parts is in place after the last part, and not before', async () => {
  const app = await startApp()
  const begun = await begin(app, '/new/a b%.txt', 9)
  expect([begun.status, begun.headers.get('location'), begun.headers.get('tus-resumable')]).toEqual([
    201,
    '/api/tus/new/a%20b%25.txt',
    '1.0.0',
  ])
  expect((await put(app, '/new/a b%.txt', 0, 'one')).headers.get('upload-offset')).toBe('3')
  expect((await put(app, '/new/a b%.txt', 3, 'two')).headers.get('upload-offset')).toBe('6')
  expect(await placedOn(app)).toEqual({ new: {} })
  expect((await app.call('resources.get', { path: '/new/a b%.txt' })).status).toBe(404)
  const last = await put(app, '/new/a b%.txt', 6, 'six')
  expect([last.status, await last.text()]).toEqual([204, ''])
  expect(await placedOn(app)).toEqual({ new: { 'a b%.txt': 'onetwosix' } })
})

test('the Location of an upload contains the base path', async () => {
  const app = await startApp({ basePath: '/files' })
  expect((await begin(app, '/a', 1)).headers.get('location')).toBe('/files/api/tus/a')
})

test('T26 an empty file is in place at once, and stays', async () => {
  const app = await startApp()
  expect((await begin(app, '/empty', 0)).status).toBe(201)
  expect(await placedOn(app)).toEqual({ empty: '' })
  expect(await stateOf(app, '/empty')).toEqual([200, '0', '0'])
})

test('T26 a cancelled overwrite leaves the existing file', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  expect((await begin(app, '/a.txt', 6, { override: 'true' })).status).toBe(201)
  await put(app, '/a.txt', 0, 'new')
  expect(await placedOn(app)).toEqual({ 'a.txt': 'old' })
  expect((await app.call('tus.abort', { path: '/a.txt' })).status).toBe(204)
  expect(namesOn(app)).toEqual(['a.txt'])
  expect(await placedOn(app)).toEqual({ 'a.txt': 'old' })
  expect(await stateOf(app, '/a.txt')).toEqual([404, null, null])
})

test('an overwrite is in place with its last byte', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  await begin(app, '/a.txt', 3, { override: 'true' })
  await put(app, '/a.txt', 0, 'new')
  expect(await placedOn(app)).toEqual({ 'a.txt': 'new' })
})

test.each(['-1', '1.5', '0x10', '', ' ', 'abc', '9007199254740993', '+1', '1e3'])(
  'an upload length of %j is refused, and nothing changes',
  async (length) => {
    const app = await startApp({ files: { 'a.txt': 'old' } })
    expect((await begin(app, '/a.txt', length, { override: 'true' })).status).toBe(400)
    expect(namesOn(app)).toEqual(['a.txt'])
    expect(await placedOn(app)).toEqual({ 'a.txt': 'old' })
  },
)

test('the entry at the path decides whether an upload can be created', async () => {
  const app = await startApp({ files: { 'a.txt': 'old', folder: {} } })
  expect((await begin(app, '/a.txt', 3)).status).toBe(409)
  expect((await begin(app, '/a.txt', 3, { override: 'false' })).status).toBe(409)
  expect((await begin(app, '/folder', 3, { override: 'true' })).status).toBe(400)
  expect((await begin(app, '/new/', 3)).status).toBe(400)
  expect((await begin(app, '/', 3)).status).toBe(400)
  expect((await begin(app, '/a.txt/below', 3)).status).toBe(404)
  expect(await placedOn(app)).toEqual({ 'a.txt': 'old', folder: {} })
})

test('an upload needs the permission to create, an overwrite the permission to modify, and cancelling needs neither', async () => {
  const app = await startApp({
    files: { 'a.txt': 'old' },
    people: { bea: { perm: { create: false } }, cai: { perm: { modify: false, delete: false } } },
  })
  const [bea, cai] = [await app.signIn('bea'), await app.signIn('cai')]
  expect((await begin(bea, '/n', 3)).status).toBe(403)
  expect((await stateOf(bea, '/n'))[0]).toBe(403)
  expect((await put(bea, '/n', 0, 'x')).status).toBe(403)
  expect((await begin(cai, '/a.txt', 3, { override: 'true' })).status).toBe(403)
  expect((await begin(cai, '/n', 3)).status).toBe(201)
  expect((await cai.call('tus.abort', { path: '/n' })).status).toBe(204)
  expect((await cai.call('tus.abort', { path: '/' })).status).toBe(403)
  expect(namesOn(app)).toEqual(['a.txt'])
})

test('a permission that was taken away is missing at the next part', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  await begin(app, '/a.txt', 3, { override: 'true' })
  await app.records.users.update(app.user.id, { perm: { ...app.user.perm, modify: false } })
  expect((await put(app, '/a.txt', 0, 'new')).status).toBe(403)
  expect(await placedOn(app)).toEqual({ 'a.txt': 'old' })
})

test('a path that a rule denies is refused in all four calls, whatever else is wrong with the request', async () => {
  const rules = [{ regex: false, allow: false, path: '/secret', regexp: { raw: '' } }]
  const app = await startApp({ files: { secret: {} }, user: { rules } })
  const path = '/secret/a'
  const replies = [
    await begin(app, path, 'x'),
    await app.call('tus.show', { path }),
    await app.call('tus.continue', { path }),
    await app.call('tus.abort', { path }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect(await placedOn(app)).toEqual({ secret: {} })
})

test('a part that does not fit is answered with the right status', async () => {
  const app = await startApp()
  await begin(app, '/a', 5)
  await put(app, '/a', 0, 'abc')
  const asked = { path: '/a', headers: { 'upload-offset': '3' }, body: 'de' }
  expect((await app.call('tus.continue', asked)).status).toBe(415)
  expect((await put(app, '/a', '-1', 'de')).status).toBe(400)
  expect((await put(app, '/a', 'x', 'de')).status).toBe(400)
  expect((await put(app, '/a', 6, 'de')).status).toBe(400)
  expect((await put(app, '/b', 0, 'de')).status).toBe(404)
  expect((await put(app, '/a', 2, 'de')).status).toBe(409)
  expect((await put(app, '/a', 4, 'd')).status).toBe(409)
  expect((await put(app, '/a', 3, 'def')).status).toBe(413)
  expect(await stateOf(app, '/a')).toEqual([200, '3', '5'])
  expect((await put(app, '/a', 3, 'de')).status).toBe(204)
  expect(await placedOn(app)).toEqual({ a: 'abcde' })
})

test('a part without an announced length that turns out to be too long is rolled back', async () => {
  const app = await startApp()
  await begin(app, '/a', 5)
  await put(app, '/a', 0, 'abc')
  const status = await chunked(app, '/a', 3, ['d', 'e', 'f'])
  expect(status).toBe(413)
  expect(await stateOf(app, '/a')).toEqual([200, '3', '5'])
  expect(await chunked(app, '/a', 3, ['d', 'e'])).toBe(204)
  expect(await placedOn(app)).toEqual({ a: 'abcde' })
})

const chunked = (app: App, path: string, offset: number, chunks: readonly string[]): Promise<number> =>
  sendInChunks(app, app.url, {
    method: 'PATCH',
    path: `/api/tus${path}`,
    headers: { ...part, 'upload-offset': offset },
    chunks,
  })

test('an interrupted part keeps the bytes that arrived, and the upload continues from there', async () => {
  const app = await startApp()
  const size = 3 * 1024 * 1024
  const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) & 0xff))
  await begin(app, '/a', size)
  const left = await breakOff(app, '/a', bytes.subarray(0, size / 2))
  const [status, offset] = await stateOf(app, '/a')
  expect([status, left]).toEqual([200, 'left'])
  expect(Number(offset)).toBe(size / 2)
  const headers = { ...part, 'x-auth': app.token, 'upload-offset': String(offset) }
  const rest = bytes.subarray(Number(offset))
  const reply = await fetch(`${app.url}/api/tus/a`, { method: 'PATCH', headers, body: rest })
  expect(reply.status).toBe(204)
  const got = await (await app.call('raw.get', { path: '/a' })).arrayBuffer()
  expect(Buffer.from(got).equals(bytes)).toBe(true)
})

/**
 * Sends half of a part and waits until it was written to the socket. The connection stays open, and the rest is never
 * sent.
 */
function breakOff(app: App, path: string, bytes: Buffer): Promise<'left'> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve) => {
    const headers = {
      ...part,
      'upload-offset': 0,
      'x-auth': app.token,
      'content-length': bytes.length * 2,
      expect: '100-continue',
    }
    const asked = request({ hostname, port, path: `/api/tus${path}`, method: 'PATCH', headers })
    asked.on('error', () => undefined)
    asked.once('continue', () => asked.write(bytes, () => setTimeout(() => resolve('left'), 200)))
    asked.flushHeaders()
  })
}

test('uploads of two users to one path do not interfere', async () => {
  const app = await startApp({ people: { bea: {} } })
  const bea = await app.signIn('bea')
  await begin(app, '/a', 6)
  await begin(bea, '/a', 4)
  await put(app, '/a', 0, 'ann')
  await put(bea, '/a', 0, 'be')
  expect(await stateOf(app, '/a')).toEqual([200, '3', '6'])
  expect(await stateOf(bea, '/a')).toEqual([200, '2', '4'])
  await put(bea, '/a', 2, 'a!')
  expect(await placedOn(app)).toEqual({ a: 'bea!' })
  expect((await put(app, '/a', 3, 'too')).status).toBe(409)
  expect(await placedOn(app)).toEqual({ a: 'bea!' })
  expect((await bea.call('tus.abort', { path: '/a' })).status).toBe(404)
  expect(await stateOf(app, '/a')).toEqual([200, '6', '6'])
})

test('an upload whose name was taken in the meantime is kept, and can be finished when the name is free', async () => {
  const app = await startApp()
  await begin(app, '/a', 3)
  expect((await app.call('resources.create', { path: '/a', body: 'other' })).status).toBe(200)
  expect((await put(app, '/a', 0, 'new')).status).toBe(409)
  expect(await placedOn(app)).toEqual({ a: 'other' })
  await app.call('resources.remove', { path: '/a', query: { permanent: 'true' } })
  expect((await put(app, '/a', 3, '')).status).toBe(204)
  expect(await placedOn(app)).toEqual({ a: 'new' })
})

test("a new upload to the same path ends the user's former upload", async () => {
  const app = await startApp()
  await begin(app, '/a', 6)
  await put(app, '/a', 0, 'old')
  await begin(app, '/a', 2)
  expect(await stateOf(app, '/a')).toEqual([200, '0', '2'])
  expect(namesOn(app)).toHaveLength(1)
  await put(app, '/a', 0, 'ok')
  expect(await placedOn(app)).toEqual({ a: 'ok' })
  expect(namesOn(app)).toEqual(['a'])
})

test('a client that missed the last answer finds its upload finished', async () => {
  const app = await startApp()
  await begin(app, '/a', 3)
  await put(app, '/a', 0, 'abc')
  expect(await stateOf(app, '/a')).toEqual([200, '3', '3'])
  expect((await put(app, '/a', 3, '')).status).toBe(204)
  expect((await put(app, '/a', 0, 'abc')).status).toBe(409)
  expect((await app.call('tus.abort', { path: '/a' })).status).toBe(404)
  expect(await placedOn(app)).toEqual({ a: 'abc' })
})

/** Makes the database refuse to mark uploads as done from now on. */
function preventMarkingAsDone({ database }: App): void {
  const opened = new DatabaseSync(database)
  opened.exec(
    "create trigger undone before update on upload when new.is_done begin select raise(abort, 'no'); end",
  )
  opened.close()
}

test('an upload whose file is in place counts as done even when its row could not be updated', async () => {
  const app = await startApp()
  await begin(app, '/a', 3)
  preventMarkingAsDone(app)
  expect((await put(app, '/a', 0, 'abc')).status).toBe(500)
  expect((await put(app, '/a', 3, '')).status).toBe(204)
  expect(await stateOf(app, '/a')).toEqual([200, '3', '3'])
  expect((await put(app, '/a', 3, 'd')).status).toBe(413)
  expect((await put(app, '/a', 0, 'abc')).status).toBe(409)
  expect((await app.call('tus.abort', { path: '/a' })).status).toBe(404)
  expect(await stateOf(app, '/a')).toEqual([200, '3', '3'])
  expect(namesOn(app)).toEqual(['a'])
  expect((await begin(app, '/empty', 0)).status).toBe(500)
  expect(await stateOf(app, '/empty')).toEqual([200, '0', '0'])
})

test('a file that someone else put at the path is not mistaken for the finished upload, even with the same size', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' }, people: { bea: {} } })
  const bea = await app.signIn('bea')
  await begin(app, '/a.txt', 3, { override: 'true' })
  preventMarkingAsDone(app)
  expect((await put(app, '/a.txt', 0, 'new')).status).toBe(500)
  expect((await stateOf(bea, '/a.txt'))[0]).toBe(404)
  writeFileSync(path.join(app.disk, 'a.txt'), 'odd')
  expect(await stateOf(app, '/a.txt')).toEqual([404, null, null])
  expect((await put(app, '/a.txt', 3, '')).status).toBe(404)
  expect(await placedOn(app)).toEqual({ 'a.txt': 'odd' })
})

test('staged files are never listed and cannot be requested by name', async () => {
  const app = await startApp()
  await begin(app, '/a', 3)
  const [staged = ''] = namesOn(app)
  expect(staged).toMatch(/^\.[0-9a-f]{32}\./)
  expect(await placedOn(app)).toEqual({})
  expect(await (await app.call('resources.get', { path: '/' })).json()).toMatchObject({ items: [] })
  expect((await app.call('raw.get', { path: `/${staged}` })).status).toBe(403)
  expect((await begin(app, `/${staged}`, 3, { override: 'true' })).status).toBe(403)
})

test('an upload that exceeds the free space is refused before its first byte, in parts and whole', async () => {
  const app = await startApp()
  const most = Number.MAX_SAFE_INTEGER
  expect((await begin(app, '/a', most)).status).toBe(507)
  const { hostname, port } = new URL(app.url)
  const status = await new Promise((resolve, reject) => {
    const headers = { 'x-auth': app.token, 'content-length': most, expect: '100-continue' }
    const asked = request({ hostname, port, path: '/api/resources/a', method: 'POST', headers })
    asked.once('continue', () => resolve('continue'))
    asked.once('response', (response) => {
      resolve(response.statusCode)
      asked.destroy()
    })
    asked.once('error', reject)
    asked.flushHeaders()
  })
  expect(status).toBe(507)
  expect(namesOn(app)).toEqual([])
})

test('a file above the configured size is refused, whether its size is announced or not, in parts and whole', async () => {
  const app = await startApp({ config: { maxUploadSize: 4 } })
  expect((await begin(app, '/a', 5)).status).toBe(413)
  expect((await app.call('resources.create', { path: '/b', body: '12345' })).status).toBe(413)
  const stream = new Blob(['12345']).stream()
  const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit & {
    headers?: Record<string, string>
  }
  expect((await app.fetch('/api/resources/c', init)).status).toBe(413)
  expect(namesOn(app)).toEqual([])
  expect((await begin(app, '/a', 4)).status).toBe(201)
  expect((await app.call('resources.create', { path: '/b', body: '1234' })).status).toBe(200)
})

test('the page contains the settings for uploads in parts', async () => {
  const app = await startApp({ client: true, settings: { tus: { chunkSize: 4096, retryCount: 2 } } })
  expect(await (await app.fetch('/login')).text()).toContain(
    '"TusSettings":{"chunkSize":4096,"retryCount":2}',
  )
})

test('refusals contain the version of the protocol too', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  await begin(app, '/b.txt', 3)
  const replies = [
    await begin(app, '/a.txt', 3),
    await begin(app, '/c.txt', 'x'),
    await app.call('tus.show', { path: '/nope' }),
    await app.fetch('/api/tus/nope', { method: 'HEAD' }),
    await put(app, '/b.txt', 1, 'x'),
    await put(app, '/b.txt', 0, 'four'),
    await app.call('tus.continue', { path: '/b.txt', headers: { 'upload-offset': '0' } }),
    await app.call('tus.abort', { path: '/nope' }),
    await app.fetch('/api/tus/b.txt', { token: null }),
    await app.fetch('/api/tus/%zz'),
  ]
  expect(replies.map(({ status, headers }) => [status, headers.get('tus-resumable')])).toEqual(
    [409, 400, 404, 404, 409, 413, 415, 404, 401, 400].map((status) => [status, '1.0.0']),
  )
})
