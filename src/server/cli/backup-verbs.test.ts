import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createCliContext } from '../../../test/kit/cli-context.ts'
import { openRecords } from '../records/open-records.ts'

/** Creates a database with Ann and her session, and a backup of it. */
async function createBackup() {
  const world = createCliContext()
  const copy = path.join(world.cwd, 'copy')
  await world.cli('config init')
  await world.cli('users add ann', 'a long password')
  const names = () =>
    world.withRecords(async ({ users }) => (await users.list()).map(({ username }) => username))
  return { ...world, copy, names }
}

test('a backup is the whole state, made while the server runs and writes', async () => {
  const { cli, file, copy, withRecords } = await createBackup()
  const server = await openRecords({ database: file, nowMs: Date.now })
  await server.settings.change({ signup: true })
  expect((await cli('backup copy')).code).toBe(0)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  const saved = await openRecords({ database: copy, nowMs: Date.now, ifMissing: 'refuse' })
  expect([await saved.settings.get(), await saved.settings.key(), await saved.users.list()]).toEqual(
    await withRecords(async ({ settings, users }) => [
      await settings.get(),
      await settings.key(),
      await users.list(),
    ]),
  )
  await saved.close()
  await server.close()
})

test('a backup replaces an existing file only with --force', async () => {
  const { cli, copy } = await createBackup()
  writeFileSync(copy, 'mine')
  expect((await cli('backup copy')).code).toBe(1)
  expect(readFileSync(copy, 'utf8')).toBe('mine')
  expect((await cli('backup copy --force')).code).toBe(0)
  expect((await cli('backup x.db --force')).code).toBe(1)
})

test('a backup is restored where there is no database', async () => {
  const { cli, copy } = await createBackup()
  await cli('backup copy')
  const before = readFileSync(copy)
  const other = createCliContext()
  expect((await other.cli('restore', copy)).code).toBe(0)
  expect(await other.withRecords(async ({ users }) => (await users.find(1))?.username)).toBe('ann')
  expect(readFileSync(copy)).toEqual(before)
  expect(readdirSync(other.cwd).filter((name) => name.includes('restor'))).toEqual([])
})

test('a running server sees the restored state, sessions have ended, and the former database is kept', async () => {
  const { cli, file, names } = await createBackup()
  const server = await openRecords({ database: file, nowMs: () => 1000 })
  const endsAtMs = 9_000_000_000_000
  await server.sessions.add({
    id: 's',
    userId: 1,
    createdAtMs: 1000,
    seenAtMs: 1000,
    idleUntilMs: endsAtMs,
    endsAtMs,
    agent: '',
    address: '',
    cookieDigest: 'c',
    token: { jtiDigest: 'j', expiresAtMs: endsAtMs },
  })
  await cli('backup copy')
  await server.sessions.end('s')
  await server.users.remove(1)
  await cli('users add bea', 'a long password')
  expect((await cli('restore copy')).code).toBe(1)
  expect(await names()).toEqual(['bea'])
  expect((await cli('restore copy --force')).code).toBe(0)
  expect((await server.users.list()).map(({ username }) => username)).toEqual(['ann'])
  expect(await server.sessions.findByJti('j')).toBe(null)
  await server.settings.change({ signup: true })
  await server.fileOperations?.check()
  await server.close()
  const kept = await openRecords({ database: `${file}.before-restore`, nowMs: Date.now, ifMissing: 'refuse' })
  expect((await kept.users.list()).map(({ username }) => username)).toEqual(['bea'])
  await kept.close()
})

test('a folder is not restored, and the reason is one line', async () => {
  const { cli, cwd } = await createBackup()
  mkdirSync(path.join(cwd, 'folder'))
  const { code, err } = await cli('restore folder --force')
  expect([code, err.includes('the file is not a backup'), err.includes('EISDIR')]).toEqual([1, true, false])
})

test.each([
  ['a missing file', null],
  ['an empty file', Buffer.alloc(0)],
  ['another kind of file', Buffer.from('hello')],
  ['a magic number of SQLite without a database', Buffer.from(`SQLite format 3\0${'x'.repeat(4096)}`)],
])('%s is not restored', async (_case, content) => {
  const { cli, cwd, copy, names } = await createBackup()
  if (content !== null) writeFileSync(copy, content)
  const ended = await cli('restore copy --force')
  expect([ended.code, ended.out, ended.err.trimEnd().split('\n').length]).toEqual([1, '', 1])
  expect(await names()).toEqual(['ann'])
  expect(readdirSync(cwd).filter((name) => name.includes('restoring'))).toEqual([])
  const other = createCliContext()
  expect((await other.cli('restore', copy)).code).toBe(1)
  expect(existsSync(other.file)).toBe(false)
})

test('a backup with one damaged page is not restored', async () => {
  const { cli, copy, names } = await createBackup()
  await cli('backup copy')
  const bytes = readFileSync(copy)
  bytes.fill(0x55, bytes.length - 4096)
  writeFileSync(copy, bytes)
  expect((await cli('restore copy --force')).code).toBe(1)
  expect(await names()).toEqual(['ann'])
})

test('backup without a database fails and creates none', async () => {
  const { cli, cwd } = createCliContext()
  expect(await cli('backup copy')).toMatchObject({ code: 1, out: '' })
  expect(readdirSync(cwd)).toEqual([])
})

test('the database that a restore kept can be restored, and is replaced by the database that this restore keeps', async () => {
  const { cli, names } = await createBackup()
  await cli('backup copy')
  await cli('users add bea', 'a long password')
  await cli('restore copy --force')
  expect(await names()).toEqual(['ann'])
  expect((await cli('restore x.db.before-restore --force')).code).toBe(0)
  expect(await names()).toEqual(['ann', 'bea'])
  expect((await cli('restore x.db.before-restore --force')).code).toBe(0)
  expect(await names()).toEqual(['ann'])
})

test('a backup replaces neither the database, also through links, nor the files beside it', async () => {
  const { cli, run, cwd, file } = await createBackup()
  symlinkSync('x.db', path.join(cwd, 'link.db'))
  symlinkSync('.', path.join(cwd, 'here'))
  const before = statSync(file).ino
  for (const name of ['link.db', 'here/x.db', 'x.db-wal', 'x.db-shm', 'here/x.db-journal'])
    expect([name, (await cli(`backup ${name} --force`)).code]).toEqual([name, 1])
  expect((await run('backup', 'x.db', '--force', '-d', 'link.db')).code).toBe(1)
  expect((await run('restore', 'x.db', '--force', '-d', 'link.db')).code).toBe(1)
  expect(statSync(file).ino).toBe(before)
})

test('a backup that cannot be written leaves no file', async () => {
  const { cli, cwd } = await createBackup()
  mkdirSync(path.join(cwd, 'folder'))
  expect((await cli('backup folder --force')).code).toBe(1)
  expect(readdirSync(cwd).filter((name) => name.includes('unfinished'))).toEqual([])
})

test('a log beside the name of a backup is not read into the backup', async () => {
  const { cli, run, cwd, copy } = await createBackup()
  await cli('backup copy')
  const other = new DatabaseSync(copy)
  other.exec("pragma journal_mode = wal; update user set username = 'bea'")
  cpSync(`${copy}-wal`, path.join(cwd, 'log'))
  other.close()
  renameSync(path.join(cwd, 'log'), `${copy}-wal`)
  expect((await cli('backup copy --force')).code).toBe(0)
  expect((await run('users', 'find', '1', '-d', 'copy')).out).toContain('ann')
})

test('a damaged database is replaced by a backup, and kept unchanged', async () => {
  const { cli, cwd, file, copy, names } = await createBackup()
  await cli('backup copy')
  const bytes = readFileSync(copy)
  bytes.fill(0x55, 4096)
  writeFileSync(file, bytes)
  expect((await cli('users ls')).code).toBe(1)
  expect((await cli('restore copy')).code).toBe(1)
  expect((await cli('restore copy --force')).code).toBe(0)
  expect(await names()).toEqual(['ann'])
  // Opening a database changes its header, because Stowage switches it to a write-ahead log.
  const kept = readFileSync(path.join(cwd, 'x.db.before-restore'))
  expect(kept.subarray(4096)).toEqual(bytes.subarray(4096))
})

test('the file of an interrupted restore is neither taken for a backup nor removed', async () => {
  const { cli, file, names } = await createBackup()
  await cli('backup x.db.restoring')
  expect((await cli('restore x.db.restoring --force')).code).toBe(1)
  expect([existsSync(`${file}.restoring`), await names()]).toEqual([true, ['ann']])
})
