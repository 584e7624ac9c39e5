import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { FileSystemUsage } from '../../../shared/contract/usage.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { startAppWithHooks } from '../../../../test/kit/start-app-with-hooks.ts'
import { sendInChunks } from '../../../../test/kit/send-in-chunks.ts'
import {
  startApp,
  treeOf,
  type TestApp,
  type TestAppOptions,
  type SignedInUser,
} from '../../../../test/kit/start-app.ts'

const part = { 'content-type': 'application/offset+octet-stream' }
const refused = [507, 'over-quota', '507 Insufficient Storage (not enough space is left in the quota)\n']

/** Starts a server on which Ann has a quota of ten bytes and a file of three bytes. */
const files = { ann: { 'a.txt': 'abc' }, bea: { 'b.txt': '0123456789' } }
const withTen = (options: TestAppOptions = {}): Promise<TestApp> =>
  startApp({ files, ...options, user: { scope: 'ann', quotaBytes: 10, ...options.user } })

const create = (who: SignedInUser, at: string, body: string, query = {}) =>
  who.call('resources.create', { path: at, body, query })

const transfer = (who: SignedInUser, from: string, query: Record<string, string>) =>
  who.call('resources.transfer', { path: from, query })

const begin = (who: SignedInUser, at: string, sizeBytes: number, query = {}) =>
  who.call('tus.begin', { path: at, query, headers: { 'upload-length': String(sizeBytes) } })

const put = (who: SignedInUser, at: string, offset: number, body: string) =>
  who.call('tus.continue', { path: at, headers: { ...part, 'upload-offset': String(offset) }, body })

const responseOf = async (reply: Response) => [reply.status, reply.headers.get('x-error'), await reply.text()]

const usageOf = async (who: SignedInUser) => (await (await who.call('usage.get')).json()) as FileSystemUsage

/** Returns the names in Ann's folder, including staged files. */
const namesOn = async ({ disk }: TestApp): Promise<string[]> =>
  (await readdir(path.join(disk, 'ann'), { recursive: true })).toSorted()

/** Uploads a body without an announced size and returns the status. */
const chunked = (app: TestApp, at: string, chunks: readonly string[]): Promise<number> =>
  sendInChunks(app, app.url, { method: 'POST', path: `/api/resources${at}`, chunks })

test('bytes within the quota are stored, and one byte more is refused', async () => {
  const app = await withTen()
  expect(await responseOf(await create(app, '/big', '12345678'))).toEqual(refused)
  expect((await create(app, '/b', '1234567')).status).toBe(200)
  expect(await responseOf(await create(app, '/c', '1'))).toEqual(refused)
  expect((await create(app, '/empty', '')).status).toBe(200)
  expect(await namesOn(app)).toEqual(['a.txt', 'b', 'empty'])
  expect(app.lines.filter((line) => line.includes('not enough space is left in the quota'))).toHaveLength(2)
})

test('files of other users do not count, and a user without a quota may store any amount', async () => {
  const app = await withTen({ users: { bea: { scope: 'bea' } } })
  const bea = await app.signIn('bea')
  expect((await create(bea, '/more', 'x'.repeat(100))).status).toBe(200)
  expect((await create(app, '/b', '1234567')).status).toBe(200)
})

test('bytes of unannounced size are counted as they arrive, and nothing of them stays when the quota is exceeded', async () => {
  const app = await withTen()
  expect(await chunked(app, '/b', ['1234', '5678'])).toBe(507)
  expect(await namesOn(app)).toEqual(['a.txt'])
  expect(await chunked(app, '/b', ['1234', '567'])).toBe(200)
  expect(await chunked(app, '/c', ['8'])).toBe(507)
})

test('a save over a file counts only the growth of the file', async () => {
  const app = await withTen()
  await create(app, '/b', '1234567')
  expect(await responseOf(await app.call('resources.save', { path: '/a.txt', body: 'abcd' }))).toEqual(
    refused,
  )
  expect((await app.call('resources.save', { path: '/a.txt', body: 'abd' })).status).toBe(200)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'a' })).status).toBe(200)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'abc' })).status).toBe(200)
  expect((await create(app, '/b', '12345678', { override: 'true' })).status).toBe(507)
  expect((await create(app, '/b', '7654321', { override: 'true' })).status).toBe(200)
  expect(await treeOf(path.join(app.disk, 'ann'))).toEqual({ 'a.txt': 'abc', b: '7654321' })
})

test('a user above a lowered quota can make files smaller, but not larger', async () => {
  const app = await withTen({ user: { quotaBytes: 1 } })
  expect((await app.call('resources.save', { path: '/a.txt', body: 'abcd' })).status).toBe(507)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'xyz' })).status).toBe(200)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'x' })).status).toBe(200)
  expect(await usageOf(app)).toEqual({ total: 1, used: 1 })
})

test('of many concurrent uploads only as many succeed as fit together', async () => {
  const app = await withTen()
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => create(app, `/${n}`, '123')))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 200, 507, 507, 507, 507, 507, 507, 507, 507,
  ])
  expect(await usageOf(app)).toEqual({ total: 10, used: 9 })
})

test('an upload in parts reserves its space from its start to its end', async () => {
  const app = await withTen()
  expect(await responseOf(await begin(app, '/big', 8))).toEqual(refused)
  expect((await begin(app, '/b', 6)).status).toBe(201)
  expect((await create(app, '/c', '12')).status).toBe(507)
  expect((await begin(app, '/c', 2)).status).toBe(507)
  expect((await put(app, '/b', 0, '123')).status).toBe(204)
  expect((await put(app, '/b', 3, '456')).status).toBe(204)
  expect((await create(app, '/c', '12')).status).toBe(507)
  expect((await create(app, '/c', '1')).status).toBe(200)
  expect(await namesOn(app)).toEqual(['a.txt', 'b', 'c'])
})

test('an upload that is aborted or restarted releases its space', async () => {
  const app = await withTen()
  expect((await begin(app, '/b', 7)).status).toBe(201)
  expect((await begin(app, '/b', 7)).status).toBe(201)
  expect((await app.call('tus.abort', { path: '/b' })).status).toBe(204)
  expect((await begin(app, '/c', 7)).status).toBe(201)
})

test('an upload in parts over a file counts only the growth of the file', async () => {
  const app = await withTen()
  expect((await begin(app, '/a.txt', 10, { override: 'true' })).status).toBe(201)
  expect((await create(app, '/c', '1')).status).toBe(507)
  expect((await put(app, '/a.txt', 0, '0123456789')).status).toBe(204)
  expect(await usageOf(app)).toEqual({ total: 10, used: 10 })
})

test('a lowered quota applies to the next part of an upload', async () => {
  const app = await withTen()
  await begin(app, '/b', 7)
  await put(app, '/b', 0, '1234')
  await app.records.users.update(app.user.id, { quotaBytes: 9 })
  expect((await put(app, '/b', 4, '567')).status).toBe(507)
  await app.records.users.update(app.user.id, { quotaBytes: null })
  expect((await put(app, '/b', 4, '567')).status).toBe(204)
})

test('the size of a tree is measured before it is copied, including the targets of its links', async () => {
  const app = await withTen({ files: { ann: { t: { a: '12', deep: { b: '3' } } } } })
  expect((await transfer(app, '/t', { action: 'copy', destination: '/u' })).status).toBe(200)
  expect((await transfer(app, '/t', { action: 'copy', destination: '/v' })).status).toBe(200)
  expect(await responseOf(await transfer(app, '/t', { action: 'copy', destination: '/w' }))).toEqual(refused)
  await mkdir(path.join(app.disk, 'ann/l'))
  await symlink('../t/a', path.join(app.disk, 'ann/l/link'))
  expect(await responseOf(await transfer(app, '/l', { action: 'copy', destination: '/m' }))).toEqual(refused)
  await rm(path.join(app.disk, 'ann/l'), { recursive: true })
  expect((await create(app, '/c', '1')).status).toBe(200)
  expect(await namesOn(app)).toEqual([
    'c',
    't',
    't/a',
    't/deep',
    't/deep/b',
    'u',
    'u/a',
    'u/deep',
    'u/deep/b',
    'v',
    'v/a',
    'v/deep',
    'v/deep/b',
  ])
  expect(await usageOf(app)).toEqual({ total: 10, used: 10 })
})

test('a copy of a file counts towards the quota, and a rename does not', async () => {
  const app = await withTen()
  for (const to of ['/b', '/c'])
    expect((await transfer(app, '/a.txt', { action: 'copy', destination: to })).status).toBe(200)
  expect((await transfer(app, '/a.txt', { action: 'copy', destination: '/d' })).status).toBe(507)
  expect((await transfer(app, '/a.txt', { action: 'rename', destination: '/d' })).status).toBe(200)
  const over = { action: 'copy', destination: '/c', override: 'true' }
  expect((await transfer(app, '/d', over)).status).toBe(200)
  expect(await namesOn(app)).toEqual(['b', 'c', 'd'])
})

test('a removed file frees its space at once, whoever removes it', async () => {
  const app = await withTen()
  await create(app, '/b', '1234567')
  expect((await create(app, '/c', '12')).status).toBe(507)
  await app.call('resources.remove', { path: '/b' })
  expect(await usageOf(app)).toEqual({ total: 10, used: 3 })
  expect((await create(app, '/c', '1234567')).status).toBe(200)
  await rm(path.join(app.disk, 'ann/c'))
  expect((await create(app, '/d', '1234567')).status).toBe(200)
})

test('files that other users store in the scope through this server count at once', async () => {
  const app = await withTen({ users: { bea: { scope: '.' } } })
  const bea = await app.signIn('bea')
  await create(app, '/b', '1')
  await create(bea, '/ann/theirs', '1234')
  expect((await create(app, '/c', '123')).status).toBe(507)
  expect((await create(app, '/c', '12')).status).toBe(200)
})

test('users with the same scope share its usage, each with their own quota', async () => {
  const app = await withTen({ users: { bea: { scope: '/ann/', quotaBytes: 5 } } })
  const bea = await app.signIn('bea')
  expect((await create(bea, '/b', '12')).status).toBe(200)
  expect((await create(bea, '/c', '1')).status).toBe(507)
  expect((await create(app, '/c', '12345')).status).toBe(200)
  expect((await create(app, '/d', '1')).status).toBe(507)
})

test('changes made on disk by other programs are counted once the last scan is too old', async () => {
  const clock = { atMs: 1_800_000_000_000 }
  const app = await withTen({ nowMs: () => clock.atMs })
  await create(app, '/b', '1')
  await writeFile(path.join(app.disk, 'ann/theirs'), '12345')
  clock.atMs += 5 * 60_000 + 1
  expect((await create(app, '/c', '12')).status).toBe(507)
  expect(await usageOf(app)).toEqual({ total: 10, used: 9 })
})

test('the usage shows the quota and the used bytes, or the free space of the disk where that is less', async () => {
  const app = await withTen()
  expect(await usageOf(app)).toEqual({ total: 10, used: 3 })
  await app.records.users.update(app.user.id, { quotaBytes: Number.MAX_SAFE_INTEGER })
  const { total, used } = await usageOf(app)
  expect([used, total > 3, total < Number.MAX_SAFE_INTEGER]).toEqual([3, true, true])
})

test('a request that would also fail for another reason is answered with that reason', async () => {
  const app = await withTen({ user: { rules: [{ regex: false, allow: false, path: '/no', regexp: null }] } })
  expect((await create(app, '/a.txt', 'x'.repeat(20))).status).toBe(409)
  expect((await create(app, '/no/b', 'x'.repeat(20))).status).toBe(403)
})

test('a quota counts the apparent size of files', async () => {
  const app = await withTen()
  await truncate(path.join(app.disk, 'ann/a.txt'), 10)
  expect((await create(app, '/b', '1')).status).toBe(507)
})

test('a program before a change does not run for a change that the quota refuses', async () => {
  const marks = temporaryFolder()
  const commands = {
    before_upload: [`touch ${path.join(marks, 'upload')}`],
    before_copy: [`touch ${path.join(marks, 'copy')}`],
  }
  const app = await startAppWithHooks(commands, { files, user: { scope: 'ann', quotaBytes: 5 } })
  expect((await create(app, '/b', '123')).status).toBe(507)
  expect((await transfer(app, '/a.txt', { action: 'copy', destination: '/b' })).status).toBe(507)
  expect(await readdir(marks)).toEqual([])
  expect((await create(app, '/b', '12')).status).toBe(200)
  expect(await readdir(marks)).toEqual(['upload'])
})

test('an extraction and an upload of somebody with the same scope do not exceed the quota together', async () => {
  const quotaBytes = 10_000
  const app = await startApp({
    files: { ann: { t: { a: 'x'.repeat(3000), b: 'y'.repeat(3000) } } },
    user: { scope: 'ann', quotaBytes },
    users: { bea: { scope: 'ann', quotaBytes } },
  })
  const bea = await app.signIn('bea')
  const extract = async () => (await app.call('archives.extract', { path: '/t.zip' })).text()
  await (await app.call('archives.create', { path: '/t.zip', json: { folder: '/', names: ['t'] } })).text()
  await app.call('resources.remove', { path: '/t' })
  expect((await begin(bea, '/u', 9000)).status).toBe(201)
  expect((await put(bea, '/u', 0, 'z'.repeat(5000))).status).toBe(204)
  expect(await extract()).toContain('"over-quota"')
  expect((await namesOn(app)).filter((name) => !name.includes('.stowage'))).toEqual(['t.zip'])
  expect((await app.call('resources.remove', { path: '/t.zip' })).status).toBe(200)
  expect((await put(bea, '/u', 5000, 'z'.repeat(4000))).status).toBe(204)
  expect([(await usageOf(app)).used, await namesOn(app)]).toEqual([9000, ['u']])
})
