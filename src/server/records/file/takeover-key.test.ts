import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { canMount, memoryDisk } from '../../../../test/kit/mounts.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { keyDigestIn } from './takeover-key.ts'

const value = '{"keyDigest":"abc"}'

function databaseWith(sql: string, folder = temporaryFolder()): string {
  const file = path.join(folder, 'state')
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  return file
}

const table = `create table setting (key text primary key, value text); insert into setting values ('takeover', '${value}')`

test('the digest is read from the table of settings', () => {
  expect(keyDigestIn(databaseWith(table))).toBe('abc')
  expect(keyDigestIn(databaseWith('create table other (key text)'))).toBe(null)
})

test.each([
  ['a view', `create view setting as select 'takeover' as key, '${value}' as value`],
  [
    'a computed column',
    `create table setting (key text, value text as ('${value}')); insert into setting (key) values ('takeover')`,
  ],
  [
    'a virtual table',
    `create virtual table setting using fts5(key, value); insert into setting values ('takeover', '${value}')`,
  ],
  [
    'a view beside a table that hides it',
    `create table pragma_table_list (type text); create view setting as select 'takeover' as key, '${value}' as value`,
  ],
])('%s is not read, since its expressions may never end', (_case, sql) => {
  expect(keyDigestIn(databaseWith(sql))).toBe(null)
})

test.runIf(canMount())('the digest is read on a file system that is mounted read-only', () => {
  const disk = memoryDisk('size=4m')!
  try {
    const file = databaseWith(`pragma journal_mode = wal; ${table}`, disk.folder)
    disk.remount('ro')
    expect(keyDigestIn(file)).toBe('abc')
  } finally {
    disk.remove()
  }
})
