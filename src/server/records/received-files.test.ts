import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createClock, shareFields, testRecords, userFields } from '../../../test/kit/records.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { isDatabaseUrl } from '../../shared/domain/database-url.ts'
import { limits } from '../../shared/domain/limits.ts'
import { migrations } from './migrations/migrations.ts'
import { openRecords } from './open-records.ts'
import type { ReceptionRequest } from './received-files.ts'
import type { ShareRecord } from './share-store.ts'

const place = (id: string, more: Partial<ReceptionRequest> = {}): ReceptionRequest => ({
  id,
  shareHash: 'hash',
  uploadId: '',
  guest: '',
  note: '',
  sizeBytes: 1,
  ...more,
})

async function recordsWithDrop(fields: Partial<ShareRecord> = {}) {
  const clock = createClock()
  const records = await testRecords(clock)
  await records.users.add(userFields({ username: 'ann' }))
  await records.shares.add(shareFields({ mode: 'upload-only', ...fields }))
  const { receivedFiles } = records
  const begin = (id: string, more: Partial<ReceptionRequest> = {}) => receivedFiles.begin(place(id, more))
  /** Begins to receive a file unless that has happened, and reserves a place for it. */
  const reserve = async (id: string, more: Partial<ReceptionRequest> = {}) => {
    const begun = await begin(id, more)
    return begun === 'begun' ? receivedFiles.reserve(place(id, more), clock.nowMs() + 1000) : begun
  }
  return { ...records, clock, begin, reserve }
}

test('files that have arrived are listed, the latest first, and others are only counted', async () => {
  const { receivedFiles, reserve, clock } = await recordsWithDrop()
  for (const [n, name] of ['a', 'b\udc80 %/', 'c'].entries()) {
    await reserve(name, { guest: `guest ${n}`, note: `note\n${n}`, sizeBytes: n })
    clock.advance(1)
    await receivedFiles.complete(place(name), name.replace('/', ''))
  }
  await reserve('under way')
  const files = await receivedFiles.list('hash', 2)
  expect(files.map(({ name, guest, note, sizeBytes }) => [name, guest, note, sizeBytes])).toEqual([
    ['c', 'guest 2', 'note\n2', 2],
    ['b\udc80 %', 'guest 1', 'note\n1', 1],
  ])
  expect(await receivedFiles.totals('hash')).toEqual({ files: 3, bytes: 3 })
  expect([await receivedFiles.list('other', 2), await receivedFiles.totals('other')]).toEqual([
    [],
    { files: 0, bytes: 0 },
  ])
})

test('a place counts until it is given back or its lease ends, and a file that is arriving has none', async () => {
  const { receivedFiles, begin, reserve, clock } = await recordsWithDrop({ maxFiles: 1, maxBytes: 5 })
  const reserveBegun = (id: string) => receivedFiles.reserve(place(id), clock.nowMs() + 1000)
  expect([await begin('slow'), await begin('slower', { sizeBytes: 5 })]).toEqual(['begun', 'begun'])
  expect(await reserve('a', { sizeBytes: 5 })).toBe('reserved')
  expect([await begin('b'), await reserveBegun('slow')]).toEqual(['too-many-files', 'too-many-files'])
  expect(await reserveBegun('a')).toBe('reserved')
  await receivedFiles.release('a')
  expect([await begin('c', { sizeBytes: 6 }), await reserveBegun('a')]).toEqual([
    'too-many-bytes',
    'replaced',
  ])
  expect(await reserve('d')).toBe('reserved')
  clock.advance(999)
  expect([await receivedFiles.renew('d'), await begin('e')]).toEqual([true, 'too-many-files'])
  clock.advance(1)
  expect([await receivedFiles.renew('d'), await reserveBegun('slow')]).toEqual([true, 'reserved'])
})

test('an upload that has arrived is recognised, one that is under way is replaced, and one of another share is not affected', async () => {
  const { receivedFiles, shares, begin } = await recordsWithDrop()
  await shares.add(shareFields({ hash: 'other', mode: 'upload-only' }))
  expect(await begin('a', { uploadId: 'one' })).toBe('begun')
  expect(await begin('b', { uploadId: 'one' })).toBe('begun')
  expect([await receivedFiles.renew('a'), await receivedFiles.renew('b')]).toEqual([false, true])
  await receivedFiles.complete(place('b'), 'b')
  expect(await begin('c', { uploadId: 'one' })).toBe('already-received')
  expect(await begin('d', { uploadId: 'one', shareHash: 'other' })).toBe('begun')
})

test('a file that was stored although a later attempt has taken its place counts, unless the share has ended', async () => {
  const { receivedFiles, shares, reserve } = await recordsWithDrop()
  await reserve('a', { uploadId: 'one' })
  await reserve('b', { uploadId: 'one' })
  await receivedFiles.complete(place('a', { uploadId: 'one', sizeBytes: 3 }), 'a')
  expect(await receivedFiles.totals('hash')).toEqual({ files: 1, bytes: 3 })
  await shares.remove('hash')
  await receivedFiles.complete(place('b', { uploadId: 'one' }), 'b')
  expect(await receivedFiles.totals('hash')).toEqual({ files: 0, bytes: 0 })
})

test('a share that ended or has another mode takes nothing, and its rows go with it', async () => {
  const { receivedFiles, shares, reserve } = await recordsWithDrop()
  expect(await reserve('a', { shareHash: 'unknown' })).toBe('ended')
  await reserve('b')
  await receivedFiles.complete(place('b'), 'b')
  await shares.update('hash', { mode: 'download' })
  expect(await reserve('c')).toBe('ended')
  await shares.remove('hash')
  await shares.add(shareFields({ mode: 'upload-only' }))
  expect(await receivedFiles.totals('hash')).toEqual({ files: 0, bytes: 0 })
})

test('a share without a limit takes no more than 10,000 files', async () => {
  const { receivedFiles, database, reserve } = await recordsWithDrop()
  // The rows are inserted with the SQL of SQLite, because reserving them one by one would take long.
  if (isDatabaseUrl(database)) return
  await reserve('0')
  await receivedFiles.complete(place('0'), '0')
  const sqlite = new DatabaseSync(database)
  sqlite.exec(`with recursive n(n) as (select 1 union all select n + 1 from n where n < ${limits.receivedFiles - 2})
    insert into received_file select n, share_digest, '', path, '', '', 1, received_at, 0 from n, received_file`)
  sqlite.close()
  expect(await reserve('last')).toBe('reserved')
  expect(await reserve('more')).toBe('too-many-files')
  expect(await receivedFiles.list('hash', limits.listedReceivedFiles)).toHaveLength(1000)
})

const nowMs = () => 1_800_000_000_000

test('a database of an older version opens, and its shares have no limits', async () => {
  const file = `${temporaryFolder()}/stowage.db`
  const before = migrations.findIndex(({ name }) => name === 'received files')
  const old = await openRecords({ database: file, nowMs, migrations: migrations.slice(0, before) })
  await old.users.add(userFields({ username: 'ann' }))
  await old.close()
  const sqlite = new DatabaseSync(file)
  sqlite.exec(`insert into share (digest, hash, user_id, path, kind, expires_at_seconds, available_from_seconds, mode, created_at)
    values ('d', 'h', 1, '/docs', 'folder', 0, 0, 'view-only', 1)`)
  sqlite.close()
  const records = await openRecords({ database: file, nowMs })
  expect(await records.shares.list()).toMatchObject([{ mode: 'view-only', maxFiles: null, maxBytes: null }])
  await records.shares.add(shareFields({ mode: 'upload-only', maxFiles: 1 }))
  expect((await records.shares.find('hash'))?.maxFiles).toBe(1)
  await records.close()
})
