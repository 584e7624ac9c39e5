import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { databaseUrlOf, createSchema } from '../kit/database.ts'
import { createCliContext } from '../kit/cli-context.ts'
import { fixtureBytes } from '../kit/original-database.ts'

/** Creates an empty PostgreSQL database. Returns functions that run the program's command line with this database. */
async function createPostgresContext(suffix = '') {
  const database = (await createSchema()) + suffix
  const context = createCliContext()
  const cli = (line: string, ...suffix: readonly string[]) =>
    context.run(...line.split(' '), ...suffix, '-d', database)
  return { ...context, database, cli }
}

test('users, rules, hooks and settings are stored in PostgreSQL, and not in local files', async () => {
  const { cli, cwd } = await createPostgresContext()
  expect((await cli('config init', '--branding.name=Ours')).code).toBe(0)
  expect((await cli('users add ann', 'a long password')).code).toBe(0)
  expect((await cli('rules add /secret --username ann')).code).toBe(0)
  expect((await cli('cmds add after_upload true')).code).toBe(0)
  expect((await cli('config set -p 9001')).code).toBe(0)
  expect((await cli('users ls')).out).toContain('ann')
  expect((await cli('rules ls --username ann')).out).toContain('/secret')
  expect((await cli('config cat')).out).toMatch(/branding\.name\s+Ours/)
  expect((await cli('config')).out).toMatch(/port\s+9001\s+database/)
  expect((await cli('users export users.json')).code).toBe(0)
  expect((await cli('users rm ann')).code).toBe(0)
  expect((await cli('users import users.json')).code).toBe(0)
  expect((await cli('users find ann')).out).toContain('ann')
  expect(readdirSync(cwd)).toEqual(['users.json'])
})

test('a database is set up only once, and commands that need a database fail without it', async () => {
  const { cli } = await createPostgresContext('&password=hunter2')
  const none = await cli('users ls')
  expect([none.code, none.err]).toEqual([1, 'stowage: there is no database; `config init` creates one\n'])
  await cli('config init')
  const again = await cli('config init')
  expect([again.code, again.err]).toEqual([
    1,
    expect.stringMatching(/^stowage: a database exists already: postgres:.*password=\(given\)\n$/),
  ])
})

test('accounts of other programs are imported into PostgreSQL, and a second time nothing changes', async () => {
  const { cli, cwd } = await createPostgresContext()
  writeFileSync(path.join(cwd, 'quantum.db'), fixtureBytes('quantum-v1.5.1/database.db'))
  writeFileSync(path.join(cwd, 'htpasswd'), `kim:$2y$10$${'a'.repeat(53)}\n`)
  mkdirSync(path.join(cwd, 'docs'))
  const lines = ['import quantum quantum.db --sources /srv/files=/ -r .', 'import htpasswd htpasswd']
  for (const line of lines) expect((await cli(`${line} --dry-run`)).out).toContain('nothing was changed')
  expect((await cli('users ls')).code).toBe(1)
  const [quantum, htpasswd] = [await cli(lines[0]!), await cli(lines[1]!)]
  expect([quantum.code, htpasswd.code]).toEqual([0, 0])
  expect(quantum.out).toContain('3 users with passwords')
  expect(quantum.out).toContain('1 share with addresses')
  const users = await cli('users ls')
  for (const line of lines) expect((await cli(line)).out).toContain('0 users with passwords')
  expect([await cli('users ls'), users.out.trimEnd().split('\n').length]).toEqual([users, 5])
})

test('the database password appears in no output', async () => {
  const { cli } = await createPostgresContext('&password=hunter2')
  const outputs = [
    await cli('config init'),
    await cli('config'),
    await cli('config cat'),
    await cli('config export out.json'),
    await cli('backup copy'),
  ]
  expect(outputs.map(({ out, err }) => out + err).join('')).not.toContain('hunter2')
  expect(outputs[1]?.out).toMatch(/database\s+postgres:\S+password=\(given\)\s+flag/)
})

test('backup and restore refer to the programs of PostgreSQL', async () => {
  const { cli, cwd } = await createPostgresContext()
  await cli('config init')
  writeFileSync(path.join(cwd, 'old'), 'x')
  for (const line of ['backup copy', 'restore old', 'restore old --force']) {
    const { code, err } = await cli(line)
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^stowage: the state is in PostgreSQL.*pg_dump.*\n$/),
    ])
  }
  expect(existsSync(path.join(cwd, 'copy'))).toBe(false)
})

test('the doctor reads the options that PostgreSQL stores, and changes nothing', async () => {
  const { cli, cwd } = await createPostgresContext('&password=hunter2')
  const none = await cli('doctor')
  expect([none.code, none.out]).toEqual([
    1,
    expect.stringMatching(/^warning: database-missing: postgres:\S+password=\(given\)$/m),
  ])
  expect((await cli('users ls')).err).toContain('there is no database')
  await cli(`config init -r ${path.join(cwd, 'stored')}`)
  const stored = await cli('doctor')
  expect(stored.out).toContain(`error: root-missing: ${path.join(cwd, 'stored')}\n`)
  mkdirSync(path.join(cwd, 'stored'))
  const sound = await cli('doctor --deep')
  expect(sound.out).not.toMatch(/root-missing|database-|backup-/)
  expect(sound.out).toContain('the content of the database is checked by the programs of PostgreSQL\n')
  expect([none, stored, sound].map(({ out, err }) => out + err).join('')).not.toContain('hunter2')
})

test.each([
  ['another password', databaseUrlOf(inject('postgres'), { user: 'locked', password: 'hunter2' })],
  ['another server', 'postgres://ann:hunter2@127.0.0.1:1/x'],
])('with %s the doctor says why the database cannot be read', async (_case, database) => {
  const { code, out, err } = await createCliContext().run('doctor', '-d', database)
  expect([code, out]).toEqual([1, expect.stringMatching(/^error: database-unreadable: postgres:\S+: ./m)])
  expect(out + err).not.toContain('hunter2')
})

test.each([
  ['another password', databaseUrlOf(inject('postgres'), { user: 'locked', password: 'hunter2' })],
  ['another database', databaseUrlOf(inject('postgres'), { name: 'nowhere', password: 'hunter2' })],
  ['another server', 'postgres://ann:hunter2@127.0.0.1:1/x'],
  ['a malformed URL', 'postgres://ann:hunter2@[/x'],
])('with %s every verb and serving itself fail with one line', async (_case, database) => {
  const { run, parseServingConfig } = createCliContext()
  for (const line of ['users ls', 'config init', 'config']) {
    const { code, out, err } = await run(...line.split(' '), '-d', database)
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^stowage: [^\n]+\n$/)])
    expect(err).not.toContain('hunter2')
  }
  await expect(parseServingConfig('-d', database)).rejects.toMatchObject({
    reason: expect.not.stringContaining('hunter2') as unknown,
  })
})
