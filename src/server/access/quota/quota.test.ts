import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Usage } from '../../../shared/contract/usage.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { startHooked } from '../../../../test/kit/start-hooked.ts'
import { sendInChunks } from '../../../../test/kit/send-in-chunks.ts'
import { startApp, treeOf, type App, type AppWish, type Person } from '../../../../test/kit/start-app.ts'

const part = { 'content-type': 'application/offset+octet-stream' }
const refused = [507, 'no-space', '507 Insufficient Storage (the quota is used up)\n']

/** Ann may hold ten bytes; three are there. */
const files = { ann: { 'a.txt': 'abc' }, bea: { 'b.txt': '0123456789' } }
const withTen = (wish: AppWish = {}): Promise<App> =>
  startApp({ files, ...wish, user: { scope: 'ann', quotaBytes: 10, ...wish.user } })

const create = (who: Person, at: string, body: string, query = {}) =>
  who.call('resources.create', { path: at, body, query })

const transfer = (who: Person, from: string, query: Record<string, string>) =>
  who.call('resources.transfer', { path: from, query })

const begin = (who: Person, at: string, sizeBytes: number, query = {}) =>
  who.call('tus.begin', { path: at, query, headers: { 'upload-length': String(sizeBytes) } })

const put = (who: Person, at: string, offset: number, body: string) =>
  who.call('tus.continue', { path: at, headers: { ...part, 'upload-offset': String(offset) }, body })

const told = async (reply: Response) => [reply.status, reply.headers.get('x-error'), await reply.text()]

const usageOf = async (who: Person) => (await (await who.call('usage.get')).json()) as Usage

/** What Ann's folder holds, staged files too. */
const namesOn = async ({ disk }: App): Promise<string[]> =>
  (await readdir(path.join(disk, 'ann'), { recursive: true })).toSorted()

/** A body that nobody announces. */
const chunked = (app: App, at: string, chunks: readonly string[]): Promise<number> =>
  sendInChunks(app, app.url, { method: 'POST', path: `/api/resources${at}`, chunks })

test('what fits is taken, and the byte beyond it is refused', async () => {
  const app = await withTen()
  expect(await told(await create(app, '/big', '12345678'))).toEqual(refused)
  expect((await create(app, '/b', '1234567')).status).toBe(200)
  expect(await told(await create(app, '/c', '1'))).toEqual(refused)
  expect((await create(app, '/empty', '')).status).toBe(200)
  expect(await namesOn(app)).toEqual(['a.txt', 'b', 'empty'])
  expect(app.lines.filter((line) => line.includes('the quota is used up'))).toHaveLength(2)
})

test('what others hold does not count, and who has no quota stores anything', async () => {
  const app = await withTen({ people: { bea: { scope: 'bea' } } })
  const bea = await app.signIn('bea')
  expect((await create(bea, '/more', 'x'.repeat(100))).status).toBe(200)
  expect((await create(app, '/b', '1234567')).status).toBe(200)
})

test('bytes that nobody announced are counted as they come, and leave nothing', async () => {
  const app = await withTen()
  expect(await chunked(app, '/b', ['1234', '5678'])).toBe(507)
  expect(await namesOn(app)).toEqual(['a.txt'])
  expect(await chunked(app, '/b', ['1234', '567'])).toBe(200)
  expect(await chunked(app, '/c', ['8'])).toBe(507)
})

test('a save counts by what it makes larger', async () => {
  const app = await withTen()
  await create(app, '/b', '1234567')
  expect(await told(await app.call('resources.save', { path: '/a.txt', body: 'abcd' }))).toEqual(refused)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'abd' })).status).toBe(200)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'a' })).status).toBe(200)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'abc' })).status).toBe(200)
  expect((await create(app, '/b', '12345678', { override: 'true' })).status).toBe(507)
  expect((await create(app, '/b', '7654321', { override: 'true' })).status).toBe(200)
  expect(await treeOf(path.join(app.disk, 'ann'))).toEqual({ 'a.txt': 'abc', b: '7654321' })
})

test('who holds more than a new quota makes nothing larger, and everything smaller', async () => {
  const app = await withTen({ user: { quotaBytes: 1 } })
  expect((await app.call('resources.save', { path: '/a.txt', body: 'abcd' })).status).toBe(507)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'xyz' })).status).toBe(200)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'x' })).status).toBe(200)
  expect(await usageOf(app)).toEqual({ total: 1, used: 1 })
})

test('of many at once only so many pass as fit together', async () => {
  const app = await withTen()
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => create(app, `/${n}`, '123')))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 200, 507, 507, 507, 507, 507, 507, 507, 507,
  ])
  expect(await usageOf(app)).toEqual({ total: 10, used: 9 })
})

test('an upload in parts has its room from its beginning to its end', async () => {
  const app = await withTen()
  expect(await told(await begin(app, '/big', 8))).toEqual(refused)
  expect((await begin(app, '/b', 6)).status).toBe(201)
  expect((await create(app, '/c', '12')).status).toBe(507)
  expect((await begin(app, '/c', 2)).status).toBe(507)
  expect((await put(app, '/b', 0, '123')).status).toBe(204)
  expect((await put(app, '/b', 3, '456')).status).toBe(204)
  expect((await create(app, '/c', '12')).status).toBe(507)
  expect((await create(app, '/c', '1')).status).toBe(200)
  expect(await namesOn(app)).toEqual(['a.txt', 'b', 'c'])
})

test('an upload that is given up, or begun anew, gives its room back', async () => {
  const app = await withTen()
  expect((await begin(app, '/b', 7)).status).toBe(201)
  expect((await begin(app, '/b', 7)).status).toBe(201)
  expect((await app.call('tus.abort', { path: '/b' })).status).toBe(204)
  expect((await begin(app, '/c', 7)).status).toBe(201)
})

test('an upload in parts over a file counts by what it makes larger', async () => {
  const app = await withTen()
  expect((await begin(app, '/a.txt', 10, { override: 'true' })).status).toBe(201)
  expect((await create(app, '/c', '1')).status).toBe(507)
  expect((await put(app, '/a.txt', 0, '0123456789')).status).toBe(204)
  expect(await usageOf(app)).toEqual({ total: 10, used: 10 })
})

test('a quota that is made smaller counts for the next part', async () => {
  const app = await withTen()
  await begin(app, '/b', 7)
  await put(app, '/b', 0, '1234')
  await app.records.users.update(app.user.id, { quotaBytes: 9 })
  expect((await put(app, '/b', 4, '567')).status).toBe(507)
  await app.records.users.update(app.user.id, { quotaBytes: null })
  expect((await put(app, '/b', 4, '567')).status).toBe(204)
})

test('a tree is sized before it is copied, files that its links lead to as well', async () => {
  const app = await withTen({ files: { ann: { t: { a: '12', deep: { b: '3' } } } } })
  expect((await transfer(app, '/t', { action: 'copy', destination: '/u' })).status).toBe(200)
  expect((await transfer(app, '/t', { action: 'copy', destination: '/v' })).status).toBe(200)
  expect(await told(await transfer(app, '/t', { action: 'copy', destination: '/w' }))).toEqual(refused)
  await mkdir(path.join(app.disk, 'ann/l'))
  await symlink('../t/a', path.join(app.disk, 'ann/l/link'))
  expect(await told(await transfer(app, '/l', { action: 'copy', destination: '/m' }))).toEqual(refused)
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

test('a copy of a file counts, and a rename does not', async () => {
  const app = await withTen()
  for (const to of ['/b', '/c'])
    expect((await transfer(app, '/a.txt', { action: 'copy', destination: to })).status).toBe(200)
  expect((await transfer(app, '/a.txt', { action: 'copy', destination: '/d' })).status).toBe(507)
  expect((await transfer(app, '/a.txt', { action: 'rename', destination: '/d' })).status).toBe(200)
  const over = { action: 'copy', destination: '/c', override: 'true' }
  expect((await transfer(app, '/d', over)).status).toBe(200)
  expect(await namesOn(app)).toEqual(['b', 'c', 'd'])
})

test('what goes gives room at once, whoever takes it away', async () => {
  const app = await withTen()
  await create(app, '/b', '1234567')
  expect((await create(app, '/c', '12')).status).toBe(507)
  await app.call('resources.remove', { path: '/b' })
  expect(await usageOf(app)).toEqual({ total: 10, used: 3 })
  expect((await create(app, '/c', '1234567')).status).toBe(200)
  await rm(path.join(app.disk, 'ann/c'))
  expect((await create(app, '/d', '1234567')).status).toBe(200)
})

test('what others put there through this server counts at once', async () => {
  const app = await withTen({ people: { bea: { scope: '.' } } })
  const bea = await app.signIn('bea')
  await create(app, '/b', '1')
  await create(bea, '/ann/theirs', '1234')
  expect((await create(app, '/c', '123')).status).toBe(507)
  expect((await create(app, '/c', '12')).status).toBe(200)
})

test('people with one scope share its count, each with their own quota', async () => {
  const app = await withTen({ people: { bea: { scope: '/ann/', quotaBytes: 5 } } })
  const bea = await app.signIn('bea')
  expect((await create(bea, '/b', '12')).status).toBe(200)
  expect((await create(bea, '/c', '1')).status).toBe(507)
  expect((await create(app, '/c', '12345')).status).toBe(200)
  expect((await create(app, '/d', '1')).status).toBe(507)
})

test('what others changed on disk is counted when the count is old', async () => {
  const clock = { atMs: 1_800_000_000_000 }
  const app = await withTen({ nowMs: () => clock.atMs })
  await create(app, '/b', '1')
  await writeFile(path.join(app.disk, 'ann/theirs'), '12345')
  clock.atMs += 5 * 60_000 + 1
  expect((await create(app, '/c', '12')).status).toBe(507)
  expect(await usageOf(app)).toEqual({ total: 10, used: 9 })
})

test('usage tells the quota and what is held, or what the disk has room for', async () => {
  const app = await withTen()
  expect(await usageOf(app)).toEqual({ total: 10, used: 3 })
  await app.records.users.update(app.user.id, { quotaBytes: Number.MAX_SAFE_INTEGER })
  const { total, used } = await usageOf(app)
  expect([used, total > 3, total < Number.MAX_SAFE_INTEGER]).toEqual([3, true, true])
})

test('who would be refused for another reason hears that one', async () => {
  const app = await withTen({ user: { rules: [{ regex: false, allow: false, path: '/no', regexp: null }] } })
  expect((await create(app, '/a.txt', 'x'.repeat(20))).status).toBe(409)
  expect((await create(app, '/no/b', 'x'.repeat(20))).status).toBe(403)
})

test('a quota is counted in what files say they hold', async () => {
  const app = await withTen()
  await truncate(path.join(app.disk, 'ann/a.txt'), 10)
  expect((await create(app, '/b', '1')).status).toBe(507)
})

test('a program that is asked before does not run for what will be refused', async () => {
  const marks = temporaryFolder()
  const commands = {
    before_upload: [`touch ${path.join(marks, 'upload')}`],
    before_copy: [`touch ${path.join(marks, 'copy')}`],
  }
  const app = await startHooked(commands, { files, user: { scope: 'ann', quotaBytes: 5 } })
  expect((await create(app, '/b', '123')).status).toBe(507)
  expect((await transfer(app, '/a.txt', { action: 'copy', destination: '/b' })).status).toBe(507)
  expect(await readdir(marks)).toEqual([])
  expect((await create(app, '/b', '12')).status).toBe(200)
  expect(await readdir(marks)).toEqual(['upload'])
})
