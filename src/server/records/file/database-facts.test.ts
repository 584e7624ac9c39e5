import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { databaseFacts, readDatabase } from './database-facts.ts'

const schema = `create table migration (version integer, name text);
  insert into migration values (1, 'first tables');
  create table setting (key text, value text);`

/** Creates a database with a write-ahead log, which stays open until the test ends. */
function openState(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  database.exec(`pragma journal_mode = wal; ${schema}`)
  return database
}

test('a database in use is read through a symbolic link with its log', () => {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, 'real'))
  openState(path.join(folder, 'real/x.db'))
  symlinkSync(path.join(folder, 'real/x.db'), path.join(folder, 'x.db'))
  // The tables are only in the log so far.
  expect(databaseFacts(path.join(folder, 'x.db')).kind).toBe('usable')
  expect(readdirSync(folder).toSorted()).toEqual(['real', 'x.db'])
})

test('a database that another program changes during the check is read again', () => {
  const file = path.join(temporaryFolder(), 'x.db')
  openState(file).close()
  let writer: DatabaseSync | null = null
  onTestFinished(() => writer?.close())
  const count = readDatabase(file, (database) => {
    const rows = database.prepare('select count(*) as count from migration').get()?.['count']
    if (writer === null) {
      writer = new DatabaseSync(file)
      writer.exec("insert into migration values (2, 'uploads')")
    }
    return rows
  })
  expect(count).toBe(2)
})

test('a database that seems damaged is read again with locks and its log', () => {
  const file = path.join(temporaryFolder(), 'x.db')
  openState(file).close()
  let reads = 0
  const kind = readDatabase(file, () => {
    reads += 1
    if (reads === 1) throw Object.assign(new Error('malformed'), { errcode: 11 })
    return 'sound'
  })
  expect(kind).toBe('sound')
})

test('a path that the system does not read is neither damaged nor of another program', () => {
  const folder = temporaryFolder()
  expect(databaseFacts(folder)).toEqual({
    kind: 'unreadable',
    reason: expect.stringContaining('EISDIR'),
    options: {},
  })
})

test('an error of SQLite that is not about the content is no damage', () => {
  const file = path.join(temporaryFolder(), 'x.db')
  const database = openState(file)
  database.exec('alter table migration rename column name to label')
  database.close()
  expect(databaseFacts(file)).toMatchObject({
    kind: 'unreadable',
    reason: expect.stringContaining('name'),
  })
})

test.skipIf(process.getuid?.() === 0)('a file without permission for the user is unreadable', () => {
  const folder = path.join(temporaryFolder(), 'state')
  mkdirSync(folder)
  const file = path.join(folder, 'x.db')
  writeFileSync(file, 'SQLite', { mode: 0o000 })
  expect(databaseFacts(file)).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('EACCES') })
  chmodSync(folder, 0o000)
  expect(databaseFacts(file)).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('EACCES') })
  chmodSync(folder, 0o700)
})
