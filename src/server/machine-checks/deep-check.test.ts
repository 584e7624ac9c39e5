import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { atSignal } from '../cli/verb/at-signal.ts'
import { openRecords } from '../records/open-records.ts'
import { deepCheck } from './deep-check.ts'
import { removeLeftFolders } from './private-folder.ts'

/** Creates a state and a copy of it in the folder `backups`, and functions that check them. */
async function createStateWithBackup() {
  const folder = temporaryFolder()
  const databaseFile = path.join(folder, 'x.db')
  await (await openRecords({ database: databaseFile, nowMs: Date.now })).close()
  const backups = path.join(folder, 'backups')
  mkdirSync(backups)
  const backup = path.join(backups, 'first')
  copyFileSync(databaseFile, backup)
  utimesSync(backup, 1_700_000_000, 1_700_000_000)
  const check = (options: Partial<Parameters<typeof deepCheck>[0]> = {}) =>
    deepCheck({ databaseFile, backups, nowMs: Date.now, atSignal, ...options })
  return { folder, databaseFile, backups, backup, check }
}

test('only a state counts as a backup, and neither a former nor an unfinished one', async () => {
  const { folder, databaseFile, backups, backup, check } = await createStateWithBackup()
  const foreign = new DatabaseSync(path.join(backups, 'other.db'))
  foreign.exec('create table other (x)')
  foreign.close()
  for (const name of ['x.db.before-restore', 'x.db.unfinished', 'x.db.unfinished-2'])
    copyFileSync(databaseFile, path.join(backups, name))
  symlinkSync(databaseFile, path.join(backups, 'link'))
  symlinkSync(path.join(folder, 'nowhere'), path.join(backups, 'dangling'))
  expect(await check()).toEqual({ restored: backup, isCompared: true, found: [] })
  symlinkSync(folder, path.join(backups, 'folder'))
  expect((await check({ backups: path.join(backups, 'folder') })).found).toMatchObject([
    { code: 'backup-missing' },
  ])
})

test('nothing is created beside a backup that was copied while the server did not run', async () => {
  const { backups, check } = await createStateWithBackup()
  expect((await check()).found).toEqual([])
  expect(readdirSync(backups)).toEqual(['first'])
})

test('a backup that was copied with its log is checked with it', async () => {
  const { folder, databaseFile, backups, backup, check } = await createStateWithBackup()
  const server = new DatabaseSync(databaseFile)
  server.exec("insert into setting (key, value, rev) values ('later', '1', 1)")
  const copied = path.join(folder, 'copied.db')
  for (const suffix of ['', '-wal']) copyFileSync(databaseFile + suffix, copied + suffix)
  server.close()
  expect((await check()).found).toEqual([
    { code: 'backup-behind', subject: `${backup} lacks 1 of the settings` },
  ])
  for (const suffix of ['', '-wal']) renameSync(copied + suffix, path.join(backups, `second${suffix}`))
  expect(await check()).toEqual({ restored: path.join(backups, 'second'), isCompared: true, found: [] })
  expect(readdirSync(backups).toSorted()).toEqual(['first', 'second', 'second-wal'])
})

test('what keeps the machine from checking a backup is not damage of the backup', async () => {
  const { folder, databaseFile, backup, check } = await createStateWithBackup()
  const codes = async (...options: Parameters<typeof check>) =>
    (await check(...options)).found.map(({ code, subject }) => [code, subject.split(': ')[0]])
  expect(await codes({ freeBytes: () => 1000 })).toEqual([['backup-unchecked', backup]])
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  expect(await codes({ backups: file })).toEqual([['backup-unchecked', file]])
  expect(await codes({ backups: path.join(folder, 'gone') })).toEqual([
    ['backup-missing', path.join(folder, 'gone')],
  ])
  const server = new DatabaseSync(databaseFile)
  server.exec('pragma locking_mode = exclusive; begin exclusive')
  expect(await codes()).toEqual([['backup-unchecked', backup]])
  server.close()
  rmSync(databaseFile)
  expect(await codes()).toEqual([['backup-unchecked', backup]])
})

test('a state that the next start will migrate is not compared', async () => {
  const { databaseFile, backup, check } = await createStateWithBackup()
  const older = new DatabaseSync(databaseFile)
  older.exec('delete from migration where version = (select max(version) from migration)')
  older.close()
  expect(await check()).toEqual({ restored: backup, isCompared: false, found: [] })
})

test('a signal ends the check, and its folder is removed', async () => {
  const { folder, databaseFile, backups } = await createStateWithBackup()
  const script = `import { readdirSync, writeSync } from 'node:fs'
    import { deepCheck } from ${JSON.stringify(path.join(import.meta.dirname, 'deep-check.ts'))}
    import { atSignal } from ${JSON.stringify(path.join(import.meta.dirname, '../cli/verb/at-signal.ts'))}
    const timer = setInterval(() => {
      if (!readdirSync(${JSON.stringify(folder)}).some((name) => name.includes('.doctor-'))) return
      clearInterval(timer)
      writeSync(1, 'started')
      process.kill(process.pid, 'SIGTERM')
    }, 1)
    const [databaseFile, backups] = ${JSON.stringify([databaseFile, backups])}
    await deepCheck({ databaseFile, backups, nowMs: Date.now, atSignal })
    clearInterval(timer)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output: string[] = []
  child.stdout.on('data', (text: Buffer) => output.push(text.toString()))
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect([output.join('') === 'started', signal]).toEqual([true, 'SIGTERM'])
  expect(readdirSync(folder).filter((name) => name.includes('doctor'))).toEqual([])
})

test('folders of killed checks are removed, and that of a running one stays', async () => {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'close')
  const nameOf = (pid: number | undefined) => path.join(folder, `x.db.doctor-${pid}-aB3dE6`)
  mkdirSync(nameOf(child.pid))
  writeFileSync(path.join(nameOf(child.pid), 'backup.db'), 'hashes')
  const others = [
    nameOf(process.ppid),
    path.join(folder, 'x.db.doctor-mine'),
    path.join(folder, 'y.db.doctor-1-aB3dE6'),
  ]
  for (const other of others) mkdirSync(other)
  removeLeftFolders(path.join(folder, 'x.db'))
  expect(existsSync(nameOf(child.pid))).toBe(false)
  expect(others.map((other) => existsSync(other))).toEqual([true, true, true])
})
