import { request } from 'node:http'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sendInChunks } from '../../../test/kit/send-in-chunks.ts'
import { startApp, treeOf, type TestApp, type SignedInUser } from '../../../test/kit/start-app.ts'
import type { FileTree } from '../../../test/kit/tree.ts'
import type { Path } from '../../shared/domain/path.ts'
import { openUploadsPerUser } from '../records/uploads.ts'

const part = { 'content-type': 'application/offset+octet-stream' }

const createUpload = (user: SignedInUser, path: string, sizeBytes: number | string, query = {}) =>
  user.call('tus.begin', { path, query, headers: { 'upload-length': String(sizeBytes) } })

const sendPart = (user: SignedInUser, path: string, offset: number | string, body: string) =>
  user.call('tus.continue', { path, headers: { ...part, 'upload-offset': String(offset) }, body })

const uploadStateOf = async (user: SignedInUser, path: string) => {
  const { status, headers } = await user.call('tus.show', { path })
  return [status, headers.get('upload-offset'), headers.get('upload-length')]
}

/** Returns the tree of the served folder without staged files. */
const placedTree = async ({ disk }: TestApp): Promise<FileTree> => withoutStaged(await treeOf(disk))

const withoutStaged = (tree: FileTree): FileTree =>
  Object.fromEntries(
    Object.entries(tree)
      .filter(([name]) => !name.endsWith('.stowage-part'))
      .map(([name, entry]) => [name, isFolder(entry) ? withoutStaged(entry) : entry]),
  )

const isFolder = (entry: FileTree[string]): entry is FileTree =>
  typeof entry === 'object' && !(entry instanceof Uint8Array)

/** Returns the names in the served folder, including the names of staged files. */
const namesOnDisk = ({ disk }: TestApp): string[] => readdirSync(disk).toSorted()

test('an upload in three parts is in place after the last part, and not before', async () => {
  const app = await startApp()
  const beginReply = await createUpload(app, '/new/a b%.txt', 9)
  expect([
    beginReply.status,
    beginReply.headers.get('location'),
    beginReply.headers.get('tus-resumable'),
  ]).toEqual([201, '/api/tus/new/a%20b%25.txt', '1.0.0'])
  expect((await sendPart(app, '/new/a b%.txt', 0, 'one')).headers.get('upload-offset')).toBe('3')
  expect((await sendPart(app, '/new/a b%.txt', 3, 'two')).headers.get('upload-offset')).toBe('6')
  expect(await placedTree(app)).toEqual({ new: {} })
  expect((await app.call('resources.get', { path: '/new/a b%.txt' })).status).toBe(404)
  const last = await sendPart(app, '/new/a b%.txt', 6, 'six')
  expect([last.status, await last.text()]).toEqual([204, ''])
  expect(await placedTree(app)).toEqual({ new: { 'a b%.txt': 'onetwosix' } })
})

test('the Location of an upload contains the base path', async () => {
  const app = await startApp({ basePath: '/files' })
  expect((await createUpload(app, '/a', 1)).headers.get('location')).toBe('/files/api/tus/a')
})

test('T26 an empty file is in place immediately, and stays', async () => {
  const app = await startApp()
  expect((await createUpload(app, '/empty', 0)).status).toBe(201)
  expect(await placedTree(app)).toEqual({ empty: '' })
  expect(await uploadStateOf(app, '/empty')).toEqual([200, '0', '0'])
})

test('T26 a cancelled overwrite leaves the existing file', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  expect((await createUpload(app, '/a.txt', 6, { override: 'true' })).status).toBe(201)
  await sendPart(app, '/a.txt', 0, 'new')
  expect(await placedTree(app)).toEqual({ 'a.txt': 'old' })
  expect((await app.call('tus.abort', { path: '/a.txt' })).status).toBe(204)
  expect(namesOnDisk(app)).toEqual(['a.txt'])
  expect(await placedTree(app)).toEqual({ 'a.txt': 'old' })
  expect(await uploadStateOf(app, '/a.txt')).toEqual([404, null, null])
})

test('an overwrite is in place with its last byte', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  await createUpload(app, '/a.txt', 3, { override: 'true' })
  await sendPart(app, '/a.txt', 0, 'new')
  expect(await placedTree(app)).toEqual({ 'a.txt': 'new' })
})

test.each(['-1', '1.5', '0x10', '', ' ', 'abc', '9007199254740993', '+1', '1e3'])(
  'an upload length of %j is refused, and nothing changes',
  async (length) => {
    const app = await startApp({ files: { 'a.txt': 'old' } })
    expect((await createUpload(app, '/a.txt', length, { override: 'true' })).status).toBe(400)
    expect(namesOnDisk(app)).toEqual(['a.txt'])
    expect(await placedTree(app)).toEqual({ 'a.txt': 'old' })
  },
)

test('the entry at the path decides whether an upload can be created', async () => {
  const app = await startApp({ files: { 'a.txt': 'old', folder: {} } })
  expect((await createUpload(app, '/a.txt', 3)).status).toBe(409)
  expect((await createUpload(app, '/a.txt', 3, { override: 'false' })).status).toBe(409)
  expect((await createUpload(app, '/folder', 3, { override: 'true' })).status).toBe(400)
  expect((await createUpload(app, '/new/', 3)).status).toBe(400)
  expect((await createUpload(app, '/', 3)).status).toBe(400)
  expect((await createUpload(app, '/a.txt/below', 3)).status).toBe(404)
  expect(await placedTree(app)).toEqual({ 'a.txt': 'old', folder: {} })
})

test('an upload needs the permission to create, an overwrite the permission to modify, and cancelling needs neither', async () => {
  const app = await startApp({
    files: { 'a.txt': 'old' },
    users: { bea: { perm: { create: false } }, cai: { perm: { modify: false, delete: false } } },
  })
  const [bea, cai] = [await app.signIn('bea'), await app.signIn('cai')]
  expect((await createUpload(bea, '/n', 3)).status).toBe(403)
  expect((await uploadStateOf(bea, '/n'))[0]).toBe(403)
  expect((await sendPart(bea, '/n', 0, 'x')).status).toBe(403)
  expect((await createUpload(cai, '/a.txt', 3, { override: 'true' })).status).toBe(403)
  expect((await createUpload(cai, '/n', 3)).status).toBe(201)
  expect((await cai.call('tus.abort', { path: '/n' })).status).toBe(204)
  expect((await cai.call('tus.abort', { path: '/' })).status).toBe(403)
  expect(namesOnDisk(app)).toEqual(['a.txt'])
})

test('a permission that was removed during the upload is required at the next part', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  await createUpload(app, '/a.txt', 3, { override: 'true' })
  await app.records.users.update(app.user.id, { perm: { ...app.user.perm, modify: false } })
  expect((await sendPart(app, '/a.txt', 0, 'new')).status).toBe(403)
  expect(await placedTree(app)).toEqual({ 'a.txt': 'old' })
})

test('a path that a rule denies is refused in all four calls, whatever else is wrong with the request', async () => {
  const rules = [{ regex: false, allow: false, path: '/secret', regexp: { raw: '' } }]
  const app = await startApp({ files: { secret: {} }, user: { rules } })
  const path = '/secret/a'
  const replies = [
    await createUpload(app, path, 'x'),
    await app.call('tus.show', { path }),
    await app.call('tus.continue', { path }),
    await app.call('tus.abort', { path }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect(await placedTree(app)).toEqual({ secret: {} })
})

test('an existing file is named before a missing length', async () => {
  const app = await startApp({ files: { a: 'old' } })
  expect((await createUpload(app, '/a', 'x')).status).toBe(409)
  expect((await createUpload(app, '/a', 'x', { override: true })).status).toBe(400)
  expect(await placedTree(app)).toEqual({ a: 'old' })
})

test('a part that does not match the upload is refused with the expected status', async () => {
  const app = await startApp()
  await createUpload(app, '/a', 5)
  await sendPart(app, '/a', 0, 'abc')
  const partWithoutType = { path: '/a', headers: { 'upload-offset': '3' }, body: 'de' }
  expect((await app.call('tus.continue', partWithoutType)).status).toBe(415)
  expect((await sendPart(app, '/a', '-1', 'de')).status).toBe(400)
  expect((await sendPart(app, '/a', 'x', 'de')).status).toBe(400)
  expect((await sendPart(app, '/a', 6, 'de')).status).toBe(400)
  expect((await sendPart(app, '/b', 0, 'de')).status).toBe(404)
  expect((await sendPart(app, '/a', 2, 'de')).status).toBe(409)
  expect((await sendPart(app, '/a', 4, 'd')).status).toBe(409)
  expect((await sendPart(app, '/a', 3, 'def')).status).toBe(413)
  expect(await uploadStateOf(app, '/a')).toEqual([200, '3', '5'])
  expect((await sendPart(app, '/a', 3, 'de')).status).toBe(204)
  expect(await placedTree(app)).toEqual({ a: 'abcde' })
})

test('a part without an announced length that turns out to be too long is rolled back', async () => {
  const app = await startApp()
  await createUpload(app, '/a', 5)
  await sendPart(app, '/a', 0, 'abc')
  const status = await chunked(app, '/a', 3, ['d', 'e', 'f'])
  expect(status).toBe(413)
  expect(await uploadStateOf(app, '/a')).toEqual([200, '3', '5'])
  expect(await chunked(app, '/a', 3, ['d', 'e'])).toBe(204)
  expect(await placedTree(app)).toEqual({ a: 'abcde' })
})

const chunked = (app: TestApp, path: string, offset: number, chunks: readonly string[]): Promise<number> =>
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
  await createUpload(app, '/a', size)
  const left = await sendHalfPart(app, '/a', bytes.subarray(0, size / 2))
  const [status, offset] = await uploadStateOf(app, '/a')
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
 * Sends the first half of a part and waits until these bytes have been written to the socket. The connection stays
 * open, and the other half is never sent.
 */
function sendHalfPart(app: TestApp, path: string, bytes: Buffer): Promise<'left'> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve) => {
    const headers = {
      ...part,
      'upload-offset': 0,
      'x-auth': app.token,
      'content-length': bytes.length * 2,
      expect: '100-continue',
    }
    const patch = request({ hostname, port, path: `/api/tus${path}`, method: 'PATCH', headers })
    patch.on('error', () => undefined)
    patch.once('continue', () => patch.write(bytes, () => setTimeout(() => resolve('left'), 200)))
    patch.flushHeaders()
  })
}

test('uploads of two users to one path do not interfere', async () => {
  const app = await startApp({ users: { bea: {} } })
  const bea = await app.signIn('bea')
  await createUpload(app, '/a', 6)
  await createUpload(bea, '/a', 4)
  await sendPart(app, '/a', 0, 'ann')
  await sendPart(bea, '/a', 0, 'be')
  expect(await uploadStateOf(app, '/a')).toEqual([200, '3', '6'])
  expect(await uploadStateOf(bea, '/a')).toEqual([200, '2', '4'])
  await sendPart(bea, '/a', 2, 'a!')
  expect(await placedTree(app)).toEqual({ a: 'bea!' })
  expect((await sendPart(app, '/a', 3, 'too')).status).toBe(409)
  expect(await placedTree(app)).toEqual({ a: 'bea!' })
  expect((await bea.call('tus.abort', { path: '/a' })).status).toBe(404)
  expect(await uploadStateOf(app, '/a')).toEqual([200, '6', '6'])
})

test('an upload whose name was taken in the meantime is kept, and can be finished when the name is free', async () => {
  const app = await startApp()
  await createUpload(app, '/a', 3)
  expect((await app.call('resources.create', { path: '/a', body: 'other' })).status).toBe(200)
  expect((await sendPart(app, '/a', 0, 'new')).status).toBe(409)
  expect(await placedTree(app)).toEqual({ a: 'other' })
  await app.call('resources.remove', { path: '/a', query: { permanent: 'true' } })
  expect((await sendPart(app, '/a', 3, '')).status).toBe(204)
  expect(await placedTree(app)).toEqual({ a: 'new' })
})

test("a new upload to the same path ends the user's previous upload", async () => {
  const app = await startApp()
  await createUpload(app, '/a', 6)
  await sendPart(app, '/a', 0, 'old')
  await createUpload(app, '/a', 2)
  expect(await uploadStateOf(app, '/a')).toEqual([200, '0', '2'])
  expect(namesOnDisk(app)).toHaveLength(1)
  await sendPart(app, '/a', 0, 'ok')
  expect(await placedTree(app)).toEqual({ a: 'ok' })
  expect(namesOnDisk(app)).toEqual(['a'])
})

test('a client that missed the last response finds its upload finished', async () => {
  const app = await startApp()
  await createUpload(app, '/a', 3)
  await sendPart(app, '/a', 0, 'abc')
  expect(await uploadStateOf(app, '/a')).toEqual([200, '3', '3'])
  expect((await sendPart(app, '/a', 3, '')).status).toBe(204)
  expect((await sendPart(app, '/a', 0, 'abc')).status).toBe(409)
  expect((await app.call('tus.abort', { path: '/a' })).status).toBe(404)
  expect(await placedTree(app)).toEqual({ a: 'abc' })
})

/** Changes the database so that it refuses to mark uploads as done. */
function preventMarkingAsDone({ database }: TestApp): void {
  const opened = new DatabaseSync(database)
  opened.exec(
    "create trigger undone before update on upload when new.is_done begin select raise(abort, 'no'); end",
  )
  opened.close()
}

test('an upload whose file is in place counts as done even when its row could not be updated', async () => {
  const app = await startApp()
  await createUpload(app, '/a', 3)
  preventMarkingAsDone(app)
  expect((await sendPart(app, '/a', 0, 'abc')).status).toBe(500)
  expect((await sendPart(app, '/a', 3, '')).status).toBe(204)
  expect(await uploadStateOf(app, '/a')).toEqual([200, '3', '3'])
  expect((await sendPart(app, '/a', 3, 'd')).status).toBe(413)
  expect((await sendPart(app, '/a', 0, 'abc')).status).toBe(409)
  expect((await app.call('tus.abort', { path: '/a' })).status).toBe(404)
  expect(await uploadStateOf(app, '/a')).toEqual([200, '3', '3'])
  expect(namesOnDisk(app)).toEqual(['a'])
  expect((await createUpload(app, '/empty', 0)).status).toBe(500)
  expect(await uploadStateOf(app, '/empty')).toEqual([200, '0', '0'])
})

test('an upload in parts keeps the modification time of the file, also when the row could not be updated', async () => {
  const app = await startApp()
  const headers = { 'upload-length': '3', 'x-modified-ms': '1600000000456' }
  await app.call('tus.begin', { path: '/kept.txt', headers })
  preventMarkingAsDone(app)
  expect((await sendPart(app, '/kept.txt', 0, 'abc')).status).toBe(500)
  expect(Math.round(statSync(path.join(app.disk, 'kept.txt')).mtimeMs)).toBe(1_600_000_000_456)
  expect(await uploadStateOf(app, '/kept.txt')).toEqual([200, '3', '3'])
})

test('a file that someone else put at the path is not mistaken for the finished upload, even with the same size', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' }, users: { bea: {} } })
  const bea = await app.signIn('bea')
  await createUpload(app, '/a.txt', 3, { override: 'true' })
  preventMarkingAsDone(app)
  expect((await sendPart(app, '/a.txt', 0, 'new')).status).toBe(500)
  expect((await uploadStateOf(bea, '/a.txt'))[0]).toBe(404)
  writeFileSync(path.join(app.disk, 'a.txt'), 'odd')
  expect(await uploadStateOf(app, '/a.txt')).toEqual([404, null, null])
  expect((await sendPart(app, '/a.txt', 3, '')).status).toBe(404)
  expect(await placedTree(app)).toEqual({ 'a.txt': 'odd' })
})

test('staged files are never listed and cannot be requested by name', async () => {
  const app = await startApp()
  await createUpload(app, '/a', 3)
  const [staged = ''] = namesOnDisk(app)
  expect(staged).toMatch(/^\.[0-9a-f]{32}\./)
  expect(await placedTree(app)).toEqual({})
  expect(await (await app.call('resources.get', { path: '/' })).json()).toMatchObject({ items: [] })
  expect((await app.call('raw.get', { path: `/${staged}` })).status).toBe(403)
  expect((await createUpload(app, `/${staged}`, 3, { override: 'true' })).status).toBe(403)
})

test('an upload that exceeds the free space is refused before its first byte, in parts and whole', async () => {
  const app = await startApp()
  const hugeBytes = Number.MAX_SAFE_INTEGER
  expect((await createUpload(app, '/a', hugeBytes)).status).toBe(507)
  const { hostname, port } = new URL(app.url)
  const status = await new Promise((resolve, reject) => {
    const headers = { 'x-auth': app.token, 'content-length': hugeBytes, expect: '100-continue' }
    const post = request({ hostname, port, path: '/api/resources/a', method: 'POST', headers })
    post.once('continue', () => resolve('continue'))
    post.once('response', (response) => {
      resolve(response.statusCode)
      post.destroy()
    })
    post.once('error', reject)
    post.flushHeaders()
  })
  expect(status).toBe(507)
  expect(namesOnDisk(app)).toEqual([])
})

test('a file above the configured size is refused, whether its size is announced or not, in parts and whole', async () => {
  const app = await startApp({ config: { maxUploadSize: 4 } })
  expect((await createUpload(app, '/a', 5)).status).toBe(413)
  expect((await app.call('resources.create', { path: '/b', body: '12345' })).status).toBe(413)
  const stream = new Blob(['12345']).stream()
  const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit & {
    headers?: Record<string, string>
  }
  expect((await app.fetch('/api/resources/c', init)).status).toBe(413)
  expect(namesOnDisk(app)).toEqual([])
  expect((await createUpload(app, '/a', 4)).status).toBe(201)
  expect((await app.call('resources.create', { path: '/b', body: '1234' })).status).toBe(200)
})

test('the page contains the settings for uploads in parts', async () => {
  const app = await startApp({ client: true, settings: { tus: { chunkSize: 4096, retryCount: 2 } } })
  expect(await (await app.fetch('/login')).text()).toContain(
    '"TusSettings":{"chunkSize":4096,"retryCount":2}',
  )
})

test('responses to refused requests contain the version of the protocol too', async () => {
  const app = await startApp({ files: { 'a.txt': 'old' } })
  await createUpload(app, '/b.txt', 3)
  const replies = [
    await createUpload(app, '/a.txt', 3),
    await createUpload(app, '/c.txt', 'x'),
    await app.call('tus.show', { path: '/nope' }),
    await app.fetch('/api/tus/nope', { method: 'HEAD' }),
    await sendPart(app, '/b.txt', 1, 'x'),
    await sendPart(app, '/b.txt', 0, 'four'),
    await app.call('tus.continue', { path: '/b.txt', headers: { 'upload-offset': '0' } }),
    await app.call('tus.abort', { path: '/nope' }),
    await app.fetch('/api/tus/b.txt', { token: null }),
    await app.fetch('/api/tus/%zz'),
  ]
  expect(replies.map(({ status, headers }) => [status, headers.get('tus-resumable')])).toEqual(
    [409, 400, 404, 404, 409, 413, 415, 404, 401, 400].map((status) => [status, '1.0.0']),
  )
})

test('a user who leaves too many uploads unfinished begins no further one, and it leaves no bytes', async () => {
  const app = await startApp({ user: { quotaBytes: 100 }, users: { bea: {} } })
  const record = { userId: app.user.id, sizeBytes: 5, overwrite: 'create', isDone: false } as const
  for (let n = 1; n < openUploadsPerUser; n += 1)
    await app.records.uploads.put({
      ...record,
      path: `/open ${n}` as Path,
      token: `${n}`,
      touchedAtMs: Date.now(),
      modifiedMs: null,
    })
  expect((await createUpload(app, '/last', 90)).status).toBe(201)
  const refused = await createUpload(app, '/next', 9)
  expect([refused.status, refused.headers.get('x-error')]).toEqual([429, 'too-many-tries'])
  expect(namesOnDisk(app)).toHaveLength(1)
  const bea = await app.signIn('bea')
  expect((await createUpload(bea, '/next', 9)).status).toBe(201)
  expect((await app.call('tus.abort', { path: '/last' })).status).toBe(204)
  // The refused upload reserves nothing of the quota.
  expect((await createUpload(app, '/next', 100)).status).toBe(201)
})
