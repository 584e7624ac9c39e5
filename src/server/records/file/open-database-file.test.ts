import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { AppError } from '../../../shared/domain/failure.ts'
import { testRecords, userFields } from '../../../../test/kit/records.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import type { Migration } from '../migrations/migration.ts'
import { migrations } from '../migrations/migrations.ts'
import { openRecords } from '../open-records.ts'

const nowMs = () => 1_800_000_000_000
const databasePath = () => path.join(temporaryFolder(), 'deep', 'er', 'stowage.db')
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

const secondMigration: Migration = {
  name: 'a table more',
  async up({ schema }) {
    await schema.createTable('more').addColumn('id', 'integer').execute()
  },
}
const failingMigration: Migration = {
  name: 'fails half way',
  async up({ schema }) {
    await schema.createTable('half').addColumn('id', 'integer').execute()
    throw new Error('power cut')
  },
}

const tablesOf = (file: string): unknown[] => {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare("select name from sqlite_master where type = 'table' order by name").all()
  database.close()
  return rows.map(({ name }) => name)
}

const errorOf = async (opening: Promise<unknown>): Promise<readonly [string, boolean]> => {
  const thrown: unknown = await opening.catch((error: unknown) => error)
  if (!(thrown instanceof AppError)) throw new Error('not refused', { cause: thrown })
  return [thrown.code, (thrown.reason ?? '\n').includes('\n')]
}

test('only the owner can access a new database and its folders', async () => {
  const file = databasePath()
  const records = await openRecords({ database: file, nowMs })
  await records.users.add(userFields({ username: 'ann' }))
  expect([modeOf(file), modeOf(`${file}-wal`), modeOf(path.dirname(file))]).toEqual(['600', '600', '700'])
  await records.close()
})

test('stored data is kept when the database is closed and opened again', async () => {
  const file = databasePath()
  const first = await openRecords({ database: file, nowMs })
  const ann = await first.users.add(userFields({ username: 'ann' }))
  await first.close()
  const second = await openRecords({ database: file, nowMs, ifMissing: 'refuse' })
  expect(await second.users.list()).toEqual([ann])
  await second.close()
})

test('a missing database is not created when it must exist', async () => {
  const file = databasePath()
  expect(await errorOf(openRecords({ database: file, nowMs, ifMissing: 'refuse' }))).toEqual([
    'not-found',
    false,
  ])
  expect(existsSync(path.dirname(file))).toBe(false)
})

test('an older database is migrated after a copy that only the owner can read', async () => {
  const file = databasePath()
  const old = await openRecords({ database: file, nowMs, migrations })
  const ann = await old.users.add(userFields({ username: 'ann' }))
  await old.close()
  const newer = await openRecords({ database: file, nowMs, migrations: [...migrations, secondMigration] })
  expect(await newer.users.list()).toEqual([ann])
  await newer.close()
  expect(tablesOf(file)).toContain('more')
  const copy = `${file}.before-${migrations.length + 1}`
  expect([modeOf(copy), tablesOf(copy).includes('more')]).toEqual(['600', false])
  const restored = await openRecords({ database: copy, nowMs })
  expect(await restored.users.list()).toEqual([ann])
  await restored.close()
})

test('a server migrates a database when the other servers of the state have ended, and says that it waits', async () => {
  const file = databasePath()
  const lines: string[] = []
  let runningServers = 1
  const migrationWait = {
    log: (line: string) => void lines.push(line),
    otherServersRun: async () => runningServers > 0,
  }
  await (await openRecords({ database: file, nowMs, migrationWait })).close()
  expect(lines).toEqual([])
  const opening = openRecords({
    database: file,
    nowMs,
    migrationWait,
    migrations: [...migrations, secondMigration],
  })
  await expect.poll(() => lines.length).toBe(1)
  expect(lines[0]).toContain('waits until the other servers of this state have ended')
  expect(tablesOf(file)).not.toContain('more')
  runningServers = 0
  await (await opening).close()
  expect([tablesOf(file).includes('more'), lines.length]).toEqual([true, 1])
})

test('of two servers that wait, one migrates the database and copies it before, and both start', async () => {
  const file = databasePath()
  const lines: string[] = []
  const migrationWait = { log: (line: string) => void lines.push(line), otherServersRun: async () => true }
  await (await openRecords({ database: file, nowMs })).close()
  const options = { database: file, nowMs, migrationWait, migrations: [...migrations, secondMigration] }
  const opening = [openRecords(options), openRecords(options)]
  await expect.poll(() => lines.length).toBe(2)
  // The server that has migrated the database runs before the others have noticed the end of the last old one.
  await (await openRecords({ ...options, migrationWait: undefined })).close()
  for (const records of await Promise.all(opening)) await records.close()
  expect(tablesOf(`${file}.before-${migrations.length + 1}`)).not.toContain('more')
})

test('a migration that fails leaves the database unchanged', async () => {
  const file = databasePath()
  const old = await openRecords({ database: file, nowMs })
  const ann = await old.users.add(userFields({ username: 'ann' }))
  await old.close()
  const before = tablesOf(file)
  const failing = openRecords({
    database: file,
    nowMs,
    migrations: [...migrations, secondMigration, failingMigration],
  })
  await expect(failing).rejects.toThrow('power cut')
  expect(tablesOf(file)).toEqual(before)
  const again = await openRecords({ database: file, nowMs })
  expect(await again.users.list()).toEqual([ann])
  await again.close()
})

test('a database of a newer version is refused and stays unchanged', async () => {
  const file = databasePath()
  await (await openRecords({ database: file, nowMs, migrations: [...migrations, secondMigration] })).close()
  const before = readFileSync(file)
  expect(await errorOf(openRecords({ database: file, nowMs }))).toEqual(['unsupported', false])
  expect(readFileSync(file).equals(before)).toBe(true)
})

const boltFile = (): Buffer => {
  const bytes = Buffer.alloc(4096)
  bytes.writeUInt32LE(0xed0cdaed, 16)
  return bytes
}

test.each([
  ['of File Browser', boltFile(), 'unsupported'],
  ['that contains text', Buffer.from('hello'), 'unsupported'],
  ['that is damaged', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 7)]), 'corrupt'],
] as const)('a file %s is refused in one line and stays unchanged', async (_case, content, code) => {
  const file = path.join(temporaryFolder(), 'x.db')
  writeFileSync(file, content)
  expect(await errorOf(openRecords({ database: file, nowMs }))).toEqual([code, false])
  expect(readFileSync(file).equals(content)).toBe(true)
})

test("another program's database is refused", async () => {
  const file = path.join(temporaryFolder(), 'x.db')
  const other = new DatabaseSync(file)
  other.exec('create table theirs (id integer)')
  other.close()
  const before = readFileSync(file)
  expect(await errorOf(openRecords({ database: file, nowMs }))).toEqual(['unsupported', false])
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(tablesOf(file)).toEqual(['theirs'])
})

test('an empty file becomes a database, because containers mount empty files', async () => {
  const file = path.join(temporaryFolder(), 'x.db')
  writeFileSync(file, '')
  const records = await openRecords({ database: file, nowMs })
  expect(await records.users.list()).toEqual([])
  await records.close()
})

test('a folder at the path of the database is reported in one line', async () => {
  expect(await errorOf(openRecords({ database: temporaryFolder(), nowMs }))).toEqual(['unavailable', false])
})

test('two processes that have the database open see each other’s writes', async () => {
  const records = await testRecords()
  const other = await openRecords({ database: records.database, nowMs })
  await other.users.add(userFields({ username: 'ann' }))
  expect((await records.users.findByName('ann'))?.id).toBe(1)
  await records.settings.change({ signup: true })
  expect((await other.settings.get()).signup).toBe(true)
  await other.close()
})
