import { expect, test } from 'vitest'
import { pathOf, type Path } from '../../src/shared/domain/path.ts'
import { queryRows } from '../kit/database.ts'
import { createClock, shareFields, testRecords, userFields } from '../kit/records.ts'

const pathFor = (text: string): Path => pathOf(text) ?? expect.fail(text)

test('the largest integers are returned as numbers', async () => {
  const records = await testRecords(createClock(Number.MAX_SAFE_INTEGER - 1))
  const [user] = await records.users.importAll({
    users: [{ id: 5_000_000_000, ...userFields({ username: 'ann' }) }],
    onExistingId: 'refuse',
  })
  expect(user?.id).toBe(5_000_000_000)
  expect((await records.users.add(userFields({ username: 'bea' }))).id).toBe(5_000_000_001)
  expect((await records.users.update(5_000_000_000, { locale: 'de' })).changedAtMs).toBe(
    Number.MAX_SAFE_INTEGER - 1,
  )
})

test('an id that is larger than any id of a user finds no user', async () => {
  const { users, sessions, shares } = await testRecords()
  expect([
    await users.find(999_999_999_999_999),
    await sessions.listOf(999_999_999_999_999),
    await shares.list({ userId: 999_999_999_999_999 }),
  ]).toEqual([null, [], []])
})

test.each([
  ['NUL', 'a\0nn'],
  ['a lone surrogate', 'a\ud800'],
])('no user is found by a name with %s', async (_case, username) => {
  const { users } = await testRecords()
  await users.add(userFields({ username: 'a\ufffd' }))
  expect(await users.findByName(username)).toBe(null)
  await expect(users.add(userFields({ username }))).rejects.toMatchObject({ code: 'bad-request' })
})

test('fields and settings keep characters that a text column cannot store', async () => {
  const { users, settings } = await testRecords()
  const odd = 'a\0\ud800b'
  const ann = await users.add(userFields({ username: 'ann', aceEditorTheme: odd, commands: [odd] }))
  expect(await users.find(ann.id)).toEqual(ann)
  await settings.change({ shell: [odd] })
  expect((await settings.get()).shell).toEqual([odd])
})

test('every name that a disk allows can be shared and uploaded to, and the longest path too', async () => {
  const { users, shares, uploads } = await testRecords()
  await users.add(userFields({ username: 'ann' }))
  // The value has 4,080 bytes without repetition, because PostgreSQL would compress a repetitive value.
  const longest = Array.from({ length: 17 }, (_, n) =>
    Array.from({ length: 119 }, (_, k) =>
      String.fromCodePoint(0x400 + ((n * 7919 + k * k * 104_729) % 1000)),
    ).join(''),
  )
  const paths = [pathFor('/a\udcffb'), pathFor('/%_\\'), pathFor(`/${longest.join('/')}`)]
  for (const [n, path] of paths.entries()) {
    await shares.add(shareFields({ hash: `h${n}`, path, kind: 'file' }))
    const upload = {
      userId: 1,
      path,
      token: `t${n}`,
      sizeBytes: 1,
      overwrite: 'create',
      isDone: false,
      touchedAtMs: 1,
      modifiedMs: null,
    } as const
    await uploads.put(upload)
    await uploads.put({ ...upload, sizeBytes: 2 })
    expect(await uploads.find({ userId: 1, path })).toEqual({ ...upload, sizeBytes: 2 })
    expect((await shares.list({ path })).map(({ hash }) => hash)).toEqual([`h${n}`])
  }
  expect(await uploads.list()).toHaveLength(3)
})

test('text columns are sorted by their bytes, independent of the language of the server', async () => {
  const { database } = await testRecords()
  const columns = await queryRows(
    database,
    "select distinct collation_name from information_schema.columns where table_schema = current_schema() and table_name <> 'migration' and data_type = 'text'",
  )
  expect(columns).toEqual([{ collation_name: 'C' }])
})
