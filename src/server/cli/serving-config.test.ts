import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCliContext } from '../../../test/kit/cli-context.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { databaseWarnings } from '../config/database-warnings.ts'
import { realEnvironment } from '../config/config-environment.ts'
import { openRecords } from '../records/open-records.ts'
import { servingConfig } from './serving-config.ts'

const dependencies = { nowMs: Date.now, randomBytes }

/** Returns the configuration of a start in a new folder that contains the given files. */
async function startIn(
  files: Readonly<Record<string, string>>,
  argv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
  const start = () => servingConfig(['-d', 's.db', ...argv], realEnvironment(env, folder), dependencies)
  return { folder, start, ...(await start()) }
}

test('a start that creates the database says so with its path, also when the file is empty', async () => {
  for (const files of [{}, { 's.db': '' }]) {
    const { folder, start, notices, config } = await startIn(files)
    expect(notices).toEqual([`There is no database yet; a new one is created: ${path.join(folder, 's.db')}`])
    await (await openRecords({ database: config.database, nowMs: Date.now })).close()
    expect((await start()).notices).toEqual([])
  }
})

test('what has no effect or does not exist is said at the start, with the right command', async () => {
  const config = `address: 127.0.0.1
database: s.db
root: .
branding.name: "X"
branding:
  name: "Our files"
auth.method: noauth
signup: true
upcoming: 1
`
  const { folder, warnings } = await startIn({ '.filebrowser.yaml': config }, [], {
    FB_BRANDING_COLOR: 'red',
    FB_PORT: '8080',
  })
  const file = path.join(folder, '.filebrowser.yaml')
  expect(warnings.map((line) => line.replace(/it is a setting.*: stowage/, '… stowage'))).toEqual([
    `${file}: branding.name has no effect: … stowage config set --branding.name=…`,
    `${file}: auth.method has no effect: … stowage config set --auth.method=…`,
    `${file}: signup has no effect: … stowage config set --signup=…`,
    `${file}: upcoming has no effect: there is no such option`,
    'FB_BRANDING_COLOR has no effect: … stowage config set --branding.color=…',
  ])
})

test('paths are stored absolute, and a branding folder that does not exist is warned about', async () => {
  const { cli, cwd, parseServingConfig: start, withRecords } = createCliContext()
  await cli('config init -r . --cert c.pem --log stdout')
  const { err } = await cli('config set -l x.log --branding.files brand')
  expect(await withRecords(({ settings }) => settings.server())).toEqual({
    root: cwd,
    cert: path.join(cwd, 'c.pem'),
    log: path.join(cwd, 'x.log'),
  })
  const missing = `branding.files: there is no folder ${path.join(cwd, 'brand')}, so its logo and styles are not used`
  expect(err).toBe(`stowage: Warning: ${missing}\n`)
  expect((await start()).warnings).toContain(missing)
  mkdirSync(path.join(cwd, 'brand'))
  expect((await start()).warnings).not.toContain(missing)

  const first = await startIn({}, ['-r', '.', '--key', 'k.pem'])
  expect(first.toStore).toEqual({ root: first.folder, key: path.join(first.folder, 'k.pem') })
})

test('a damaged database is named, with what can be done', async () => {
  const { folder, start } = await startIn({})
  const file = path.join(folder, 's.db')
  writeFileSync(file, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 7)]))
  await expect(start()).rejects.toMatchObject({
    code: 'corrupt',
    reason: `the database ${file} is damaged; stop the server and restore a backup: stowage restore BACKUP --force -d ${file}`,
  })
})

test('a database that is itself a mount point is warned about, and one in a mounted folder is not', async () => {
  const { folder } = await startIn({ 's.db': '' })
  const file = path.join(folder, 's.db')
  const mounted = (point: string) =>
    databaseWarnings(file, [{ device: '8:1', root: '/', point, type: 'ext4' }])
  expect(mounted(file)).toEqual([expect.stringContaining(`the database ${file} is mounted as a single file`)])
  expect([mounted(folder), databaseWarnings('postgres://a/b'), databaseWarnings(`${file}x`)]).toEqual([
    [],
    [],
    [],
  ])
})

test('a start with which nobody could log in says why, and which command helps', async () => {
  const { cli, parseServingConfig: start, withRecords } = createCliContext()
  const create = 'create one with: stowage users add NAME PASSWORD --perm.admin'
  const withLogin = 'let people log in with: stowage config set --auth.method=json'
  const first = 'nobody can use this server: it needs no login, and everybody acts as the user with the id 1'
  await cli('config init')
  expect((await start()).warnings).toEqual([`nobody can log in, because there is no user; ${create}`])
  await cli('config set --auth.method=noauth')
  expect((await start()).warnings).toEqual([`${first}, but there is no user; ${create}`])
  await cli('users add ann annhasalongpassword')
  expect((await start()).warnings).toEqual([])
  await withRecords(({ users }) => users.update(1, { isDisabled: true }))
  expect((await start()).warnings).toEqual([`${first}, who is disabled; ${withLogin}`])
  await cli('users add bea beahasalongpassword')
  await cli('users rm ann')
  expect((await start()).warnings).toEqual([`${first}, who does not exist; ${withLogin}`])
  await cli('config set --auth.method=json')
  expect((await start()).warnings).toEqual([])
})
