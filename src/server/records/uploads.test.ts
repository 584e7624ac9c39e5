import { expect, test } from 'vitest'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { UploadRecord } from './uploads.ts'

const upload = (fields: Partial<UploadRecord>): UploadRecord => ({
  userId: 1,
  path: '/a' as Path,
  token: 'one',
  sizeBytes: 2 ** 53 - 1,
  overwrite: 'create',
  isDone: false,
  touchedAtMs: 1000,
  modifiedMs: null,
  ...fields,
})

test('an upload is found by its user and path, unchanged', async () => {
  const { uploads } = await testRecords()
  const odd = upload({ path: '/n\udc80%41/ü' as Path, token: '/x/%20', overwrite: 'upsert' })
  await uploads.put(odd)
  expect(await uploads.find(odd)).toEqual(odd)
  expect(await uploads.find({ userId: 2, path: odd.path })).toBeNull()
  expect(await uploads.find({ userId: 1, path: root })).toBeNull()
})

test('a second upload of the same user to the same path replaces the first upload, and an upload of another user stays', async () => {
  const { uploads } = await testRecords()
  expect(await uploads.put(upload({}))).toBeNull()
  expect(await uploads.put(upload({ userId: 2, token: 'two' }))).toBeNull()
  expect(await uploads.put(upload({ token: 'three', sizeBytes: 5 }))).toEqual(upload({}))
  expect((await uploads.list()).map(({ userId, token }) => [userId, token])).toEqual([
    [1, 'three'],
    [2, 'two'],
  ])
})

test('an upload that was replaced is neither touched nor removed by its old token', async () => {
  const { uploads } = await testRecords()
  await uploads.put(upload({}))
  const now = upload({ token: 'two' })
  await uploads.put(now)
  await uploads.touch('one', { atMs: 9999, isDone: true })
  await uploads.remove(['one'])
  expect(await uploads.list()).toEqual([now])
})

test('uploads that were not changed become stale, and finished uploads become stale earlier', async () => {
  const { uploads } = await testRecords()
  await uploads.put(upload({ path: '/open' as Path, token: 'open' }))
  await uploads.put(upload({ path: '/done' as Path, token: 'done' }))
  await uploads.put(upload({ path: '/new' as Path, token: 'new' }))
  await uploads.touch('done', { atMs: 2000, isDone: true })
  await uploads.touch('new', { atMs: 3000, isDone: true })
  const old = async (openBeforeMs: number, doneBeforeMs: number) =>
    (await uploads.listStale({ openBeforeMs, doneBeforeMs })).map(({ token }) => token)
  expect(await old(1000, 2000)).toEqual([])
  expect(await old(1001, 2000)).toEqual(['open'])
  expect(await old(1000, 2001)).toEqual(['done'])
  await uploads.remove(await old(1001, 2001))
  expect((await uploads.list()).map(({ token }) => token)).toEqual(['new'])
})

/** A server permits a thousand rows of each kind. Fewer show the same, and each of them costs a transaction. */
const rowsPerUser = 30
const recordsWithFewRows = () => testRecords(createClock(), { rowsPerUser })

const numbered = (n: number): UploadRecord => upload({ path: `/${n}` as Path, token: `${n}` })

test('a user has a limited number of unfinished uploads, and may replace each of them', async () => {
  const { uploads } = await recordsWithFewRows()
  for (let n = 0; n < rowsPerUser; n += 1) await uploads.put(numbered(n))
  expect(await uploads.put(numbered(rowsPerUser)).catch(codeOf)).toBe('too-many-tries')
  expect(await uploads.put({ ...numbered(5), token: 'again' })).toEqual(numbered(5))
  expect(await uploads.put({ ...numbered(rowsPerUser), userId: 2 })).toBeNull()
  await uploads.touch('again', { atMs: 2000, isDone: true })
  await uploads.remove(['7'])
  expect(await uploads.put({ ...numbered(rowsPerUser), token: 'next' })).toBeNull()
  expect(await uploads.put(numbered(7))).toBeNull()
  expect(await uploads.put(numbered(8000)).catch(codeOf)).toBe('too-many-tries')
})

test('of the finished uploads of a user, the rows of the latest are kept', async () => {
  const { uploads } = await recordsWithFewRows()
  await uploads.put(upload({ path: '/open' as Path, token: 'open', touchedAtMs: 1 }))
  const count = 4 * rowsPerUser + 2
  for (let n = 0; n < count; n += 1)
    await uploads.put(upload({ path: `/${n}` as Path, token: `${n}`, isDone: true, touchedAtMs: 1000 + n }))
  const tokens = new Set((await uploads.list()).map(({ token }) => token))
  expect(tokens.size).toBeLessThan(rowsPerUser + 10)
  expect([tokens.has('open'), tokens.has(`${count - 1}`), tokens.has('0')]).toEqual([true, true, false])
  expect(tokens.has(`${count - rowsPerUser + 2}`)).toBe(true)
})
