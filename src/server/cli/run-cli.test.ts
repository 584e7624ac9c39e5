import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCliContext, nowMs, sessionOf } from '../../../test/kit/cli-context.ts'
import { sharedPasswordThreads } from '../../../test/kit/shared-threads.ts'
import { createPasswords } from '../auth/passwords.ts'
import { openRecords } from '../records/open-records.ts'

const passwords = createPasswords({ randomBytes, threads: sharedPasswordThreads() })

test('a command line without a verb serves', async () => {
  const { run, file } = createCliContext()
  expect(await run('-d', 'x.db', '-r', '.', '-p', '0')).toEqual({ code: 'serve', out: '', err: '' })
  expect(existsSync(file)).toBe(false)
})

test('config init and users add set up an installation as in File Browser', async () => {
  const { cli, withRecords } = createCliContext()
  expect((await cli('config init')).code).toBe(0)
  expect((await cli('users add ann', 'a long password', '--perm.admin')).code).toBe(0)
  const ann = await withRecords(({ users }) => users.findByName('ann'))
  expect(ann).toMatchObject({
    id: 1,
    scope: '.',
    locale: 'en',
    perm: { admin: true, create: true, delete: true, execute: true, share: true },
  })
  expect(await passwords.verify('a long password', ann?.passwordHash ?? '')).toBe(true)
  expect(await withRecords(async ({ settings }) => (await settings.key())?.length)).toBe(64)
})

test('config init stores flags that serving uses, and config set changes only the flags that it names', async () => {
  const { cli, withRecords, parseServingConfig } = createCliContext()
  await cli(
    'config init',
    '--port',
    '9000',
    '-b',
    '/fb',
    '--branding.name=Ours',
    '-s',
    '--perm.create=false',
    '--locale',
    'de',
  )
  await cli('config set', '-p', '9001', '--branding.color', '#123456', '--tus.retryCount=1')
  const settings = await withRecords(({ settings }) => settings.get())
  expect(settings).toMatchObject({
    signup: true,
    branding: { name: 'Ours', color: '#123456' },
    tus: { chunkSize: 10_485_760, retryCount: 1 },
    defaults: { locale: 'de', perm: { create: false, modify: true } },
  })
  const { config, sources } = await parseServingConfig()
  expect([config.port, config.baseURL, sources.port, sources.root]).toEqual([
    9001,
    '/fb',
    'database',
    'default',
  ])
  expect((await parseServingConfig('-p', '1')).config.port).toBe(1)
})

test('every flag that File Browser had for settings and users is read', async () => {
  const { cli, run, withRecords } = createCliContext()
  const rights = ['create', 'delete', 'download', 'execute', 'modify', 'rename', 'share']
  const ofUsers = [
    ...rights.map((name) => `--perm.${name}=false`),
    '--perm.admin',
    '--sorting.by=size',
    '--sorting.asc',
    '--commands=git,ls',
    '--scope=/a',
    '--locale=de',
    '--viewMode=mosaic',
    '--singleClick',
    '--redirectAfterCopyMove',
    '--dateFormat',
    '--hideDotfiles',
    '--aceEditorTheme=monokai',
  ]
  const ofSettings = [
    '-s',
    '--shell=/bin/sh -c',
    '--auth.method=hook',
    '--auth.header=X-User',
    '--auth.command=/bin/true',
    '--auth.logoutPage=/bye',
    '--recaptcha.host=https://example.com',
    '--recaptcha.key=a',
    '--recaptcha.secret=b',
    '--branding.name=N',
    '--branding.color=#fff',
    '--branding.files=/',
    '--branding.theme=dark',
    '--branding.disableExternal',
    '--branding.disableUsedPercentage',
    '--createUserDir',
    '--hideLoginButton',
    '--minimumPasswordLength=13',
    '--tus.chunkSize=99999',
    '--tus.retryCount=2',
  ]
  expect(await cli('config init', ...ofSettings, ...ofUsers)).toMatchObject({ code: 0, err: '' })
  expect(await cli('config set', ...ofSettings, ...ofUsers)).toMatchObject({ code: 0, err: '' })
  expect((await cli('users add joe', 'a long password', '--lockPassword', ...ofUsers)).code).toBe(0)
  expect((await cli('users update joe -u jim -p', 'another password', ...ofUsers)).code).toBe(0)
  expect((await cli('rules add -a -r ^/x -u jim')).code).toBe(0)
  expect((await cli('rules rm 0 --index 0 -i 1')).code).toBe(0)
  expect((await run('rules', 'ls', '-d', 'x.db')).code).toBe(0)
  const ofUser = {
    perm: { admin: true, create: false, execute: false, share: false },
    sorting: { by: 'size', asc: true },
    commands: ['git', 'ls'],
    scope: '/a',
    locale: 'de',
    viewMode: 'mosaic',
    singleClick: true,
    redirectAfterCopyMove: true,
    dateFormat: true,
    hideDotfiles: true,
    aceEditorTheme: 'monokai',
  }
  await withRecords(async ({ settings, users }) => {
    expect(await settings.get()).toMatchObject({
      signup: true,
      shell: ['/bin/sh', '-c'],
      authMethod: 'hook',
      createUserDir: true,
      hideLoginButton: true,
      minimumPasswordLength: 13,
      logoutPage: '/bye',
      tus: { chunkSize: 99_999, retryCount: 2 },
      branding: {
        name: 'N',
        color: '#fff',
        files: '/',
        theme: 'dark',
        disableExternal: true,
        disableUsedPercentage: true,
      },
      defaults: ofUser,
    })
    // An administrator has the permissions that concern files, whatever the flags say.
    const perm = { admin: true, create: true, execute: false, share: true }
    expect(await users.find(1)).toMatchObject({ username: 'jim', ...ofUser, perm, rules: [] })
  })
})

test('redirectAfterCopyMove is false unless a flag sets it, and a stored true stays', async () => {
  const { cli, withRecords } = createCliContext()
  const stored = (id: number) =>
    withRecords(async ({ settings, users }) => [
      (await settings.get()).defaults.redirectAfterCopyMove,
      (await users.find(id))?.redirectAfterCopyMove,
    ])
  await cli('config init')
  await cli('users add ann', 'a long password')
  expect(await stored(1)).toEqual([false, false])
  await cli('config set', '--redirectAfterCopyMove')
  await cli('users add bea', 'a long password')
  await cli('config set', '--branding.name', 'Ours')
  await cli('users update bea', '--locale', 'de')
  expect(await stored(2)).toEqual([true, true])
  await cli('users add eve', 'a long password', '--redirectAfterCopyMove=false')
  expect(await stored(3)).toEqual([true, false])
})

test('a new user has the stored defaults, which flags override', async () => {
  const { cli, withRecords } = createCliContext()
  await cli('config init', '--perm.delete=false', '--viewMode=list', '--scope', 'all')
  await cli(
    'users add bea',
    'a long password',
    '--perm.share=false',
    '--scope',
    '/bea',
    '--sorting.by=size',
    '--sorting.asc',
  )
  expect(await withRecords(({ users }) => users.find(1))).toMatchObject({
    viewMode: 'list',
    scope: '/bea',
    sorting: { by: 'size', asc: true },
    perm: { admin: false, create: true, delete: false, share: false },
  })
  await cli('users add ann', 'a long password')
  expect((await withRecords(({ users }) => users.find(2)))?.scope).toBe('all')
})

test('an update changes only the fields of its flags; a new password ends the sessions', async () => {
  const { cli, withRecords } = createCliContext()
  await cli('config init')
  await cli('users add ann', 'a long password', '--lockPassword', '--perm.admin')
  await withRecords(({ sessions }) => sessions.add(sessionOf(1)))
  await cli('users update ann', '-u', 'anna', '--hideDotfiles', '--perm.rename=false')
  expect(await withRecords(({ sessions }) => sessions.listOf(1))).toHaveLength(1)
  const before = await withRecords(({ users }) => users.find(1))
  expect(before).toMatchObject({
    username: 'anna',
    lockPassword: true,
    hideDotfiles: true,
    // An administrator has all permissions.
    perm: { admin: true, rename: true },
  })
  await cli('users update 1', '-p', 'another long one')
  const after = await withRecords(({ users }) => users.find(1))
  expect(await passwords.verify('another long one', after?.passwordHash ?? '')).toBe(true)
  // The clock of the test stands still, and each change has a later time than the one before.
  const changedAtMs = (before?.changedAtMs ?? 0) + 1
  expect({ ...after, passwordHash: '' }).toEqual({ ...before, passwordHash: '', changedAtMs })
  expect(await withRecords(({ sessions }) => sessions.listOf(1))).toEqual([])
})

test('an account is disabled, which ends its sessions, and enabled again', async () => {
  const { cli, withRecords } = createCliContext()
  await cli('config init')
  await cli('users add ada', 'a long password', '--perm.admin')
  await cli('users add bea', 'a long password')
  expect((await cli('users update bea --disabled')).out).toContain('disabled')
  expect((await withRecords(({ users }) => users.find(2)))?.isDisabled).toBe(true)
  expect((await cli('users update ada --disabled')).code).toBe(1)
  await cli('users update bea --disabled=false')
  expect((await withRecords(({ users }) => users.find(2)))?.isDisabled).toBe(false)
})

test('users are shown without their hashes, by id and by name', async () => {
  const { cli } = createCliContext()
  await cli('config init')
  await cli('users add ann', 'a long password')
  await cli('users add 7', 'a long password')
  const { out } = await cli('users ls')
  expect(out.split('\n').map((line) => line.slice(0, 10).trim())).toEqual([
    'ID  Userna',
    '1   ann',
    '2   7',
    '',
  ])
  expect(out).not.toContain('$')
  expect((await cli('users find ann')).out).toContain('ann')
  expect((await cli('users find 2')).out).toContain('7')
  expect(await cli('users find 7')).toMatchObject({ code: 1, out: '' })
})

test('a user can be removed, and the last administrator cannot', async () => {
  const { cli, withRecords } = createCliContext()
  await cli('config init')
  await cli('users add ada', 'a long password', '--perm.admin')
  await cli('users add ann', 'a long password')
  expect((await cli('users rm ann')).code).toBe(0)
  expect((await cli('users rm ada')).code).toBe(1)
  expect((await cli('users update ada --perm.admin=false')).code).toBe(1)
  expect((await withRecords(({ users }) => users.list())).map(({ username }) => username)).toEqual(['ada'])
})

test('the server and the verbs use one database at the same time', async () => {
  const { cli, file } = createCliContext()
  await cli('config init')
  const server = await openRecords({ database: file, nowMs })
  expect((await cli('users add ann', 'a long password')).code).toBe(0)
  expect(await server.users.findByName('ann')).not.toBe(null)
  await server.close()
})

test.each([
  ['an unknown verb', ['frob'], 2],
  ['an unknown member of a group', ['users', 'frob'], 2],
  ['an unknown flag', ['users', 'ls', '--frob'], 2],
  ['a flag of another verb', ['users', 'ls', '--perm.admin'], 2],
  ['a missing argument', ['users', 'add', 'ann'], 2],
  ['an extra argument', ['users', 'ls', 'ann'], 2],
  ['an invalid value', ['users', 'add', 'zed', 'a long password', '--viewMode=grid'], 2],
  ['an invalid locale for a new user', ['users', 'add', 'zed', 'a long password', '--locale', 'x!!'], 2],
  ['an invalid locale for an existing user', ['users', 'update', 'ann', '--locale', 'x!!'], 2],
  ['an accent without shades', ['config', 'set', '--branding.accent=red'], 2],
  ['an invalid locale for the defaults', ['config', 'set', '--locale', 'x!!'], 2],
  ['an invalid permission', ['users', 'add', 'zed', 'a long password', '--perm.admin=perhaps'], 2],
  ['an update without changes', ['users', 'update', 'ann'], 2],
  ['a short password', ['users', 'add', 'zed', 'short'], 1],
  ['an easy password', ['users', 'add', 'zed', 'password1234'], 1],
  ['a taken name', ['users', 'add', 'ANN', 'a long password'], 1],
  ['an empty name', ['users', 'add', '', 'a long password'], 1],
  ['an unknown user name', ['users', 'rm', 'zed'], 1],
  ['an unknown user id', ['users', 'update', '99', '--locale=de'], 1],
  ['an initialization of an existing database', ['config', 'init'], 1],
])('%s is reported in one line and changes nothing', async (_case, words, code) => {
  const { cli, run, withRecords } = createCliContext()
  await cli('config init')
  await cli('users add ann', 'a long password')
  const state = () =>
    withRecords(async ({ users, settings }) => [
      await users.list(),
      await settings.get(),
      await settings.key(),
    ])
  const before = await state()
  const ended = await run(...words, '-d', 'x.db')
  expect([ended.code, ended.out, ended.err.trimEnd().split('\n').length]).toEqual([code, '', 1])
  expect(ended.err).toMatch(/^stowage: /)
  expect(await state()).toEqual(before)
})

test.each([
  ['users ls'],
  ['users add ann xkcd-long-enough'],
  ['users rm 1'],
  ['config set -s'],
  ['config cat'],
])('%s without a database fails and creates none', async (words) => {
  const { cli, cwd } = createCliContext()
  expect(await cli(words)).toMatchObject({ code: 1, out: '' })
  expect(readdirSync(cwd)).toEqual([])
})

test("the original's database is refused and stays unchanged", async () => {
  const { cli, file, cwd } = createCliContext()
  const bytes = Buffer.alloc(4096)
  bytes.writeUInt32LE(0xed0cdaed, 16)
  writeFileSync(file, bytes)
  expect(await cli('users ls')).toMatchObject({ code: 1, out: '' })
  expect(await cli('config init')).toMatchObject({ code: 1, out: '' })
  expect(readdirSync(cwd)).toEqual(['x.db'])
})

test('home folders are created inside the root when they are switched on', async () => {
  const { cli, cwd, withRecords } = createCliContext()
  mkdirSync(path.join(cwd, 'srv'))
  mkdirSync(path.join(cwd, 'outside'))
  await cli('config init', '--createUserDir', '-r', 'srv')
  await cli('users add', 'Al Ice', 'a long password')
  expect((await withRecords(({ users }) => users.find(1)))?.scope).toBe('/users/Al-Ice')
  expect(statSync(path.join(cwd, 'srv/users/Al-Ice')).isDirectory()).toBe(true)
  await cli('users add bob', 'a long password', '--scope', '../../team/bob')
  expect(statSync(path.join(cwd, 'srv/team/bob')).isDirectory()).toBe(true)
  symlinkSync('../outside', path.join(cwd, 'srv/link'))
  expect((await cli('users add eve', 'a long password', '--scope', 'link/eve')).code).toBe(1)
  expect(readdirSync(path.join(cwd, 'outside'))).toEqual([])
  expect((await cli('users add ...', 'a long password')).code).toBe(1)
  expect((await cli('users add bob', 'a long password', '--scope', '/new/bob')).code).toBe(1)
  expect(readdirSync(path.join(cwd, 'srv')).toSorted()).toEqual(['link', 'team', 'users'])
  expect((await withRecords(({ users }) => users.list())).map(({ username }) => username)).toEqual([
    'Al Ice',
    'bob',
  ])
})

test('secrets are stored and never shown', async () => {
  const { cli, withRecords } = createCliContext()
  const { out } = await cli(
    'config init',
    '--recaptcha.key=site',
    '--recaptcha.secret=hush',
    '--auth.header',
    'X-User',
  )
  expect(await withRecords(({ settings }) => settings.signIn())).toEqual({
    recaptcha: { host: 'https://www.google.com', key: 'site', secret: 'hush' },
    header: 'X-User',
    command: '',
  })
  expect([out.includes('site'), out.includes('hush'), (await cli('config cat')).out]).toEqual([
    true,
    false,
    out,
  ])
  await cli('config set', '--recaptcha.key=')
  expect((await withRecords(({ settings }) => settings.signIn())).recaptcha).toBe(null)
})

test('config shows the source of each value', async () => {
  const { cli } = createCliContext()
  await cli('config init', '-p', '9000')
  const { out } = await cli('config', '-r', '/srv', '--password', 'hush')
  const lines = out.split('\n').map((line) => line.split(/ {2,}/))
  expect(lines).toEqual(
    expect.arrayContaining([
      ['root', '/srv', 'flag'],
      ['port', '9000', 'database'],
      ['tokenExpirationTime', '7200s', 'default'],
      ['socketPerm', '0666', 'default'],
    ]),
  )
  expect(out).not.toContain('hush')
})

test('hash, version and help print their text', async () => {
  const { run } = createCliContext()
  const { out } = await run('hash', 'a long password')
  expect(out).toMatch(/^\$2a\$10\$[./A-Za-z0-9]{53}\n$/)
  expect(await passwords.verify('a long password', out.trim())).toBe(true)
  expect((await run('hash', 'x'.repeat(73))).code).toBe(1)
  expect([(await run('version')).out, (await run('--version')).out]).toEqual([
    'Stowage v1.2.3\n',
    'Stowage v1.2.3\n',
  ])
  for (const words of [['help'], ['--help'], ['-h']]) expect((await run(...words)).out).toContain('--baseURL')
  for (const words of [
    ['help', 'users', 'add'],
    ['users', 'add', '--help'],
  ])
    expect((await run(...words)).out).toContain('users add NAME PASSWORD')
  expect((await run('help', 'frob')).code).toBe(2)
})

test.each([
  ['redisCacheUrl', 'redis://me:hush@host/0'],
  ['metricsToken', 'a-token-to-hush-up'],
])('the secret of %s is never shown, given or stored', async (option, value) => {
  const { cli } = createCliContext()
  const given = await cli('config init', `--${option}`, value)
  const shown = [given.out, (await cli('config')).out, (await cli('config cat')).out]
  const isNamed = new RegExp(`${option} +\\(given\\)`)
  expect(shown.map((out) => [out.includes('hush'), isNamed.test(out)])).toEqual([
    [false, true],
    [false, true],
    [false, true],
  ])
})

test('verbs without a database work beside a broken database, which stays unchanged', async () => {
  const { run, cwd } = createCliContext()
  const broken = path.join(cwd, 'broken.db')
  writeFileSync(broken, 'no database')
  expect((await run('version', '-d', 'broken.db')).code).toBe(0)
  expect((await run('hash', 'x', '-d', 'broken.db')).code).toBe(0)
  expect((await run('config', '-d', 'broken.db')).code).toBe(1)
  expect(readdirSync(cwd)).toEqual(['broken.db'])
})

test('a quota is given in bytes or with a unit, for one user and for new users', async () => {
  const { cli, withRecords } = createCliContext()
  await cli('config init --quota 20G')
  await cli('users add ann', 'a long password')
  await cli('users add bea', 'a long password', '--quota=1500')
  await cli('users add cai', 'a long password', '--quota=none')
  const quotas = () =>
    withRecords(async ({ users }) => (await users.list()).map(({ quotaBytes }) => quotaBytes))
  expect(await quotas()).toEqual([20 * 1024 ** 3, 1500, null])
  await cli('users update ann --quota 5m')
  await cli('users update bea --hideDotfiles')
  await cli('config set --quota none')
  expect(await quotas()).toEqual([5 * 1024 ** 2, 1500, null])
  expect((await withRecords(({ settings }) => settings.get())).defaults.quotaBytes).toBe(null)
  expect((await cli('users ls')).out).toContain(String(5 * 1024 ** 2))
  for (const wrong of ['-1', '1.5G', '5X', '', '9007199254740993', '99999T'])
    expect((await cli('users update ann', `--quota=${wrong}`)).code).toBe(2)
  expect(await quotas()).toEqual([5 * 1024 ** 2, 1500, null])
})

test('a command without a database names the file that it looked for, and the flag for another one', async () => {
  const { run, file } = createCliContext()
  const { code, err } = await run('users', 'ls', '-d', file)
  expect([code, err.includes(`there is no database at ${file}; name`), err.includes('-d')]).toEqual([
    1,
    true,
    true,
  ])
})
