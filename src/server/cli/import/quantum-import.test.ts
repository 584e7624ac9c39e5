import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { boltFile, type BoltTree } from '../../../../test/kit/bolt-file.ts'
import { createCliContext } from '../../../../test/kit/cli-context.ts'
import { startConfiguredServer } from '../../../../test/kit/configured-server.ts'
import { fixtureBytes } from '../../../../test/kit/original-database.ts'

const fixture = fixtureBytes('quantum-v1.5.1/database.db')
const expected = JSON.parse(fixtureBytes('quantum-v1.5.1/expected.json').toString()) as {
  readonly users: readonly { readonly username: string }[]
  readonly passwords: Readonly<Record<string, string>>
  readonly sharePasswords: Readonly<Record<string, string>>
}
const [folderShare, fileShare] = ['0mhQv5UKGVZnnV7f8T12jA', 'Eo_JMsZ4NcgKlV4gPvd-nA']

/** Creates a served folder and a database of FileBrowser Quantum that named it `/srv/files`. */
function createImport(database: Buffer = fixture) {
  const world = createCliContext()
  const root = path.join(world.cwd, 'files')
  for (const name of ['docs/inner', 'media/films', 'other'])
    mkdirSync(path.join(root, name), { recursive: true })
  for (const name of ['docs/a.txt', 'docs/inner/b.txt', 'media/films/c.txt', 'other/d.txt', 'docs/x.log'])
    writeFileSync(path.join(root, name), name)
  const quantum = path.join(world.cwd, 'quantum.db')
  writeFileSync(quantum, database)
  const run = (...flags: readonly string[]) =>
    world.cli('import quantum quantum.db', '-r', root, '--sources', '/srv/files=/', ...flags)
  const usersOf = () => world.withRecords(({ users }) => users.list())
  const sharesOf = () => world.withRecords(({ shares }) => shares.list())
  return { ...world, runWords: world.run, root, quantum, run, usersOf, sharesOf }
}

/** Starts a server on the state of an import. */
async function serve({ cwd, root, file }: Pick<ReturnType<typeof createImport>, 'cwd' | 'root' | 'file'>) {
  const server = await startConfiguredServer({ root, database: file, home: cwd })
  const { get } = server
  const logIn = async (username: string, password: string) => {
    const response = await server.logIn(username, password)
    return response.ok ? { 'x-auth': await response.text() } : response.status
  }
  const statusesOf = async (username: string, paths: readonly string[], password = 'a long password') => {
    const headers = await logIn(username, password)
    if (typeof headers === 'number') return headers
    return Promise.all(paths.map(async (at) => (await get(`/api/resources${at}`, headers)).status))
  }
  return { get, logIn, statusesOf }
}

describe('the real database:', () => {
  test('everybody logs in with the old password, and reaches the old folder', async () => {
    const world = createImport()
    const { code, out, err } = await world.run()
    expect([code, err, out]).toEqual([0, '', expect.stringContaining('3 users with passwords')])
    const { logIn, statusesOf } = await serve(world)
    expect(expected.users).toHaveLength(3)
    const paths = ['/docs/a.txt', '/a.txt', '/other/d.txt']
    const reached = await Promise.all(
      expected.users.map(({ username: name }) => statusesOf(name, paths, expected.passwords[name])),
    )
    expect(reached).toEqual([
      [200, 404, 200],
      [404, 200, 404],
      [200, 404, 200],
    ])
    expect(await logIn('joe', 'a wrong password')).toBe(403)
    expect(await world.usersOf()).toMatchObject([
      { username: 'admin', scope: '/', perm: { admin: true, execute: false, delete: true, rename: true } },
      {
        username: 'joe',
        scope: '/docs',
        sorting: { by: 'size', asc: true },
        perm: { admin: false, create: true, rename: true, delete: false, share: true },
      },
      { username: 'ann', perm: { create: false, modify: false, rename: false, download: true } },
    ])
  })

  test('links open, with their passwords where they have some', async () => {
    const world = createImport()
    expect((await world.run()).out).toContain('2 shares with addresses')
    const { get } = await serve(world)
    const password = expected.sharePasswords[fileShare] ?? ''
    const statuses = [
      await get(`/api/public/share/${folderShare}`),
      await get(`/api/public/dl/${folderShare}/a.txt`),
      await get(`/api/public/share/${fileShare}`),
      await get(`/api/public/share/${fileShare}`, { 'x-share-password': 'wrong' }),
      await get(`/api/public/share/${fileShare}`, { 'x-share-password': password }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 401, 401, 200])
    expect(await world.sharesOf()).toMatchObject([
      { path: '/docs', kind: 'folder', expiresAtSeconds: null, mode: 'download' },
      { path: '/docs/a.txt', kind: 'file', expiresAtSeconds: 2_110_738_924 },
    ])
  })

  test('a dry run prints the same report and writes nothing, and a second import changes nothing', async () => {
    const { run, cwd, file, quantum, usersOf, sharesOf, cli } = createImport()
    await cli('config init')
    const before = [readFileSync(file), statSync(quantum).mtimeMs]
    const dry = await run('--dry-run')
    expect([dry.code, [readFileSync(file), statSync(quantum).mtimeMs]]).toEqual([0, before])
    const first = await run()
    expect(first.out.split('\n').slice(1)).toEqual(
      dry.out.replace('nothing was changed\n', '').split('\n').slice(1),
    )
    const after = [await usersOf(), await sharesOf(), readFileSync(file)]
    const second = await run()
    expect([await usersOf(), await sharesOf(), readFileSync(file)]).toEqual(after)
    expect(second.out).toContain(
      'User joe: The user is left out, because the name exists already, and its account is not changed.',
    )
    expect(second.out).toContain(
      `The share ${folderShare} of admin for /docs/ is left out, because a share with this address exists already.`,
    )
    expect([readFileSync(quantum).equals(fixture), statSync(quantum).mtimeMs]).toEqual([true, before[1]])
    expect(readdirSync(cwd).toSorted()).toEqual(['files', 'quantum.db', 'x.db'])
  })

  test('shares belong to an account of the name of their owner that is here', async () => {
    const { run, cli, sharesOf } = createImport()
    await cli('config init')
    await cli('users add Admin', 'a long password', '--perm.admin')
    const { out } = await run()
    expect(out).toContain('2 users with')
    expect((await sharesOf()).map(({ userId }) => userId)).toEqual([1, 1])
  })

  test('a source is found by its path on this machine, or stays behind', async () => {
    const { cli, root, usersOf } = createImport()
    const { out } = await cli('import quantum quantum.db', '-r', root)
    expect(out).toContain('The source files, /srv/files, is not below the served folder. See --sources.')
    expect(out).toContain(
      'User joe: The user is left out, because it has no folder here (the folder /docs of the source files',
    )
    expect(await usersOf().catch(() => [])).toEqual([])
  })

  test('shares of entries that have gone stay behind', async () => {
    const { run, sharesOf } = createImport()
    const { out } = await run('--sources', '/srv/files=/other')
    expect(out).toContain(
      `The share ${fileShare} of admin for /docs/a.txt/ is left out, because there is no such entry that can be read.`,
    )
    expect(out).toContain('User joe: There is no folder /other/docs below the served folder')
    expect(await sharesOf()).toEqual([])
  })

  test('a damaged database is imported or refused with one line', async () => {
    const { run, quantum, cwd } = createImport()
    const reasons = new Set<string>()
    for (let at = 0; at < fixture.length; at += 997) {
      const damaged = Buffer.from(fixture)
      damaged[at] = (damaged[at] ?? 0) ^ (1 + (at % 255))
      writeFileSync(quantum, damaged)
      const { code, err } = await run('--dry-run')
      if (code === 0) continue
      expect(err).toMatch(/^stowage: the database quantum\.db [^\n]+; nothing was changed\n$/)
      reasons.add(err)
    }
    expect(reasons.size).toBeGreaterThan(0)
    expect(readdirSync(cwd).toSorted()).toEqual(['files', 'quantum.db'])
  })
})

const hash = '$2a$10$SwNMbZLJHfxcPsQzmHCv5eXE6BUOXfvrj2y5Im8ULwDIPuCnNa0va'
const password = expected.passwords['joe']!

const keyOf = (id: number): string => {
  const key = Buffer.alloc(8)
  key.writeBigUInt64BE(BigInt(id))
  return key.toString('latin1')
}

type Installation = {
  readonly users?: readonly object[]
  readonly shares?: readonly { readonly hash: string; readonly [member: string]: unknown }[]
  readonly sources?: readonly object[]
  readonly access?: object
  readonly settings?: object
}

const allRights = { admin: false, modify: true, share: true, delete: true, create: true, download: true }

/** Creates a database of FileBrowser Quantum. Missing members of records have usual values. */
function quantumDatabase({ users = [], shares = [], sources, access, settings }: Installation): Buffer {
  const source = '/srv/files'
  const userRecords = users.map((user, at) => {
    const usual = {
      username: `user${at + 1}`,
      scopes: [{ name: source, scope: '/' }],
      loginMethod: 'password',
    }
    return [
      keyOf(at + 1),
      JSON.stringify({ id: at + 1, password: hash, permissions: allRights, ...usual, ...user }),
    ]
  })
  const shareRecords = shares.map((share) => [
    share.hash,
    JSON.stringify({ source, path: '/docs/', userID: 1, expire: 0, ...share }),
  ])
  const rules = JSON.stringify({ all_rules: {}, groups: {}, ...access })
  return boltFile({
    User: { ...Object.fromEntries(userRecords), __storm_metadata: { codec: 'json' } } as BoltTree,
    Link: Object.fromEntries(shareRecords) as BoltTree,
    access_rules: { rules: JSON.stringify(Buffer.from(rules).toString('base64')) },
    config: {
      server: JSON.stringify({ sources: sources ?? [{ path: source, name: 'files', config: {} }] }),
      settings: JSON.stringify(settings ?? {}),
    },
  })
}

const names = (...list: readonly string[]) => ({
  Users: Object.fromEntries(list.map((name) => [name, {}])),
  Groups: {},
})
const nobody = { Users: {}, Groups: {} }

test('access rules of users and groups decide as before', async () => {
  const world = createImport(
    quantumDatabase({
      users: [
        { username: 'ann' },
        { username: 'bob' },
        { username: 'cid', scopes: [{ name: '/srv/files', scope: '/docs' }] },
      ],
      access: {
        all_rules: {
          '/srv/files': {
            '/docs/': { denyAll: true, Deny: nobody, Allow: names('cid') },
            '/docs/inner/': { Deny: names('cid'), Allow: { Users: {}, Groups: { staff: {} } } },
            '/other/': { Deny: names('bob'), Allow: nobody },
          },
        },
        groups: { staff: { ann: {} } },
      },
    }),
  )
  expect((await world.run()).out).toContain(
    '1 group is left out. Access rules for groups became rules of each user.',
  )
  const { statusesOf } = await serve(world)
  const paths = ['/docs/a.txt', '/docs/inner/b.txt', '/other/d.txt', '/media/films/c.txt']
  expect(await statusesOf('ann', paths, password)).toEqual([403, 200, 200, 200])
  expect(await statusesOf('bob', paths, password)).toEqual([403, 403, 403, 200])
  expect(await statusesOf('cid', ['/a.txt', '/inner/b.txt'], password)).toEqual([200, 403])
})

test.each([
  ['an unknown member', '/docs/', { denyBll: true, Deny: nobody, Allow: nobody }, 'unknown member, denyBll'],
  ['an unknown list', '/docs/', { Deny: { Usfrs: { ann: {} } }, Allow: nobody }, 'unknown member, Usfrs'],
  ['a list that is null', '/docs/', { Deny: null, Allow: nobody }, 'has no Deny'],
  ['a doubled name', '/docs/', { Deny: names('ann'), deny: nobody, Allow: nobody }, 'unknown member, deny'],
  [
    'a doubled list',
    '/docs/',
    { Deny: { Users: { ann: {} }, users: {} }, Allow: nobody },
    'unknown member, users',
  ],
  ['a path with NUL', '/do\0cs/', { denyAll: true, Deny: nobody, Allow: nobody }, 'is not a path'],
])('an access rule with %s is not read as a weaker rule', async (_case, at, rule, reason) => {
  const { run, cwd } = createImport(
    quantumDatabase({ access: { all_rules: { '/srv/files': { [at]: rule } } } }),
  )
  const { code, err } = await run()
  expect([code, readdirSync(cwd).toSorted()]).toEqual([1, ['files', 'quantum.db']])
  expect(err).toContain('the access rule')
  expect(err).toContain(reason)
})

test.each([
  ['rules that are null', { all_rules: null }],
  ['two lists of rules', { All_rules: {} }],
  ['a source whose rules are null', { all_rules: { '/srv/files': null } }],
])('access rules with %s are refused', async (_case, access) => {
  const { run } = createImport(quantumDatabase({ users: [{ username: 'ann' }], access }))
  expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('cannot be imported') })
})

const denying = { denyAll: true, Deny: nobody, Allow: nobody }
const denyingStaff = { Deny: { Users: {}, Groups: { staff: {} } }, Allow: nobody }

test.each([
  ['a misspelt default', { config: { denyByDefualt: true } }, {}, '(config.denyByDefualt)'],
  ['a misspelt privacy', { config: { privat: true } }, {}, '(config.privat)'],
  ['a doubled setting', { config: { private: true, Private: false } }, {}, '(config.Private)'],
  ['a misspelt source', { confg: { private: true } }, {}, '(confg)'],
  [
    'a misspelt condition',
    { config: { conditionals: { ignoreHiden: true } } },
    {},
    '(config.conditionals.ignoreHiden)',
  ],
  [
    'an old condition',
    { config: { conditionals: { fileNames: ['a'] } } },
    {},
    '(config.conditionals.fileNames)',
  ],
  ['an excluded path with NUL', { config: { rules: [{ folderPath: '/do\0cs' }] } }, {}, '(rules.folderPath)'],
  [
    'rules of an unknown source',
    {},
    { all_rules: { '/srv/filfs': { '/docs/': denying } } },
    'is for /srv/filfs, which is no configured source',
  ],
  [
    'a denied group without members',
    {},
    { all_rules: { '/srv/files': { '/docs/': denyingStaff } }, groups: { staff: null } },
    'denies the group staff, whose members are not known',
  ],
])('%s disables accounts, except those of administrators', async (_case, source, access, reason) => {
  const { run, usersOf, sharesOf } = createImport(
    quantumDatabase({
      users: [{ username: 'root', permissions: { ...allRights, admin: true } }, { username: 'ann' }],
      shares: [{ hash: 'link' }],
      sources: [{ path: '/srv/files', name: 'files', ...source }],
      access,
    }),
  )
  const { out } = await run()
  expect((await usersOf()).map(({ isDisabled }) => isDisabled)).toEqual([false, true])
  expect(await sharesOf()).toEqual([])
  expect(out).toMatch(/User ann: The account is disabled, because [^\n]*--disabled=false/)
  expect(out).toContain(reason)
})

test('settings of a source without a value disable nobody, and rules without effect are named', async () => {
  const config = { exclude: { hidden: false, files: [] }, later: false, useLogicalSize: true }
  const { run, usersOf } = createImport(
    quantumDatabase({
      users: [{ username: 'ann' }],
      sources: [{ path: '/srv/files', name: 'files', config }],
      access: {
        all_rules: {
          '/srv/files': { '/docs/': { Deny: nobody, Allow: { Users: {}, Groups: { none: {} } } } },
          '/srv/none': { '/a/': { Deny: nobody, Allow: names('ann') } },
        },
      },
    }),
  )
  const { out } = await run()
  expect((await usersOf())[0]?.isDisabled).toBe(false)
  expect(out).toContain(
    'The access rule /a/ of /srv/none has no effect, because the source is not configured.',
  )
  expect(out).toContain('The access rule /docs/ of /srv/files has no effect on the group none')
})

test('sources that deny by default or hide entries stay so', async () => {
  const world = createImport(
    quantumDatabase({
      users: [
        { username: 'ann' },
        { username: 'bob', showHidden: true },
        { username: 'cid', scopes: [{ name: '/srv/files', scope: '/docs/inner' }] },
      ],
      sources: [
        {
          path: '/srv/files',
          name: 'files',
          config: {
            denyByDefault: true,
            conditionals: {
              ignoreHidden: true,
              rules: [{ fileEndsWith: '.log' }, { folderPath: 'media' }, { folderNames: 'inner' }],
            },
          },
        },
      ],
      access: { all_rules: { '/srv/files': { '/': { Deny: nobody, Allow: names('bob', 'cid') } } } },
    }),
  )
  writeFileSync(path.join(world.root, '.secret'), '')
  expect((await world.run()).code).toBe(0)
  const { statusesOf } = await serve(world)
  const paths = ['/docs/a.txt', '/docs/x.log', '/media/films/c.txt', '/.secret']
  expect(await statusesOf('ann', paths, password)).toEqual([403, 403, 403, 403])
  expect(await statusesOf('bob', paths, password)).toEqual([200, 403, 403, 403])
  expect(await statusesOf('cid', ['/', '/b.txt'], password)).toEqual([403, 403])
})

test('several sources become one folder, and nothing beside them is reached', async () => {
  const sources = ['docs', 'media', 'gone'].map((name) => ({ path: `/srv/${name}`, name, config: {} }))
  const scopes = sources.map(({ path: name }) => ({ name, scope: '' }))
  const world = createImport(
    quantumDatabase({
      sources,
      users: [
        { username: 'ann', scopes },
        {
          username: 'bob',
          scopes: [
            { name: '/srv/docs', scope: '/' },
            { name: '/srv/media', scope: '/films' },
          ],
        },
        { username: 'eve', scopes, permissions: { ...allRights, modify: false, delete: false } },
      ],
    }),
  )
  const { out } = await world.run('--sources', '/srv/docs=/docs,/srv/media=/media,/srv/gone=/gone')
  expect(out).toContain(
    'User ann: The folders of the user are /docs, /media. The scope is /, and rules deny the rest.',
  )
  expect(out).toContain('User ann: The user can move, rename and delete these folders themselves here')
  expect(out).not.toMatch(/User (?:bob|eve): The user can move/)
  expect(out).toContain('User ann: There is no folder /gone below the served folder')
  expect(out).toContain('User bob: An account has one folder here, /docs. It does not reach /media/films.')
  const { statusesOf } = await serve(world)
  expect(
    await statusesOf('ann', ['/', '/docs/a.txt', '/media/films/c.txt', '/other', '/gone'], password),
  ).toEqual([200, 200, 200, 403, 403])
  expect(await statusesOf('bob', ['/a.txt', '/films/c.txt'], password)).toEqual([200, 404])
})

test('users whose meaning cannot be kept are named, and get no password that others know', async () => {
  const world = createImport(
    quantumDatabase({
      users: [
        { username: 'root', permissions: { ...allRights, admin: true } },
        { username: 'odd', loginMethod: 'oidc' },
        { username: 'two', otpEnabled: true, tokens: { a: {} }, hideFileExt: '.tmp' },
        { username: 'ROOT' },
        { username: 'far', scopes: [{ name: '/srv/files', scope: '/../../etc' }] },
        { username: 'lost', scopes: [] },
        { username: 'away', scopes: [{ name: '/elsewhere', scope: '/' }] },
        { username: '' },
      ],
      sources: [
        {
          path: '/srv/files/',
          name: 'files',
          config: { private: true, rules: [{ includeRootItem: 'docs' }] },
        },
      ],
      shares: [{ hash: 'of-a-private-source' }],
      settings: {
        auth: { methods: { noauth: false, password: { enabled: true }, oidc: { enabled: true } } },
      },
    }),
  )
  const { out } = await world.run()
  const users = await world.usersOf()
  expect(users.map(({ username, isDisabled, scope }) => [username, isDisabled, scope])).toEqual([
    ['root', false, '/'],
    ['odd', true, '/'],
    ['two', true, '/'],
    ['far', true, '/etc'],
  ])
  expect(users.map(({ perm }) => perm.share)).toEqual([false, false, false, false])
  expect(users[1]?.passwordHash).toBe('*')
  for (const line of [
    'User odd: The user logged in by oidc. Set a password.',
    'User two: The second factor is left out. The password alone is enough here.',
    'User two: File extensions are not hidden here',
    'User two: The account is disabled, because a source hides entries',
    'User ROOT: The user is left out, because the name exists already',
    'User far: There is no folder /etc below the served folder',
    'User lost: The user is left out, because it has no folder here (no source)',
    'User away: The user is left out, because it has no folder here (the source /elsewhere is not configured)',
    'User : The user is left out, because the user name is empty.',
    'The share of-a-private-source of root for /docs/ is left out, because its owner may not share here.',
    '1 API token is left out, so scripts have to log in again.',
    'The login by oidc is left out. Run stowage config set to set up how people log in.',
  ])
    expect(out).toContain(line)
})

test('shares come over only where a link opens no more than before', async () => {
  const world = createImport(
    quantumDatabase({
      users: [
        { username: 'ann' },
        { username: 'bob', scopes: [{ name: '/srv/files', scope: '/docs' }] },
        { username: 'cid', permissions: { ...allRights, share: false } },
      ],
      shares: [
        { hash: 'plain', title: 'Look' },
        { hash: 'upload', shareType: 'upload' },
        { hash: 'view', disableDownload: true, allowCreate: true, maxBandwidth: 5 },
        { hash: 'upload-file', shareType: 'upload', path: '/docs/a.txt' },
        { hash: 'strange', shareType: 'max' },
        { hash: 'expired', expire: 5 },
        { hash: 'members', disableAnonymous: true },
        { hash: 'some', allowedUsernames: ['ann'] },
        { hash: 'counted', downloadsLimit: 3 },
        { hash: 'damaged', token: 'x' },
        { hash: 'plain-password', password_hash: 'secret' },
        { hash: 'outside', userID: 2, path: '/other/' },
        { hash: 'behind', path: '/other/link' },
        { hash: 'orphan', userID: 9 },
        { hash: 'cannot', userID: 3 },
        { hash: 'exception', path: '/media/' },
        { hash: 'a/b' },
        { hash: 'elsewhere', source: '/srv/none' },
      ],
      access: {
        all_rules: { '/srv/files': { '/media/': { denyAll: true, Deny: nobody, Allow: names('ann') } } },
      },
    }),
  )
  symlinkSync('/etc', path.join(world.root, 'other/link'))
  const { out } = await world.run()
  const stored = (await world.sharesOf()).toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  expect(stored.map(({ hash: at, mode }) => [at, mode])).toEqual([
    ['plain', 'download'],
    ['upload', 'upload-only'],
    ['view', 'view-only'],
  ])
  for (const [at, reason] of [
    ['view of ann for /docs/:', 'Guests can only read. They could change files before.'],
    ['view of ann for /docs/:', 'The bandwidth is not limited.'],
    [
      'upload-file of ann for /docs/a.txt is left out, because',
      'files are added to it, and it is not a folder',
    ],
    ['strange of ann for /docs/ is left out, because', 'its type, max, has no meaning here'],
    ['expired of ann for /docs/ is left out, because', 'it has expired'],
    ['members of ann for /docs/ is left out, because', 'only users who were logged in could open it'],
    ['some of ann for /docs/ is left out, because', 'only users who were logged in could open it'],
    ['counted of ann for /docs/ is left out, because', 'a link here has no limit of downloads'],
    ['damaged of ann for /docs/ is left out, because', 'its password is damaged'],
    ['plain-password of ann for /docs/ is left out, because', 'its password is not a hash of a known kind'],
    ['outside of bob for /other/ is left out, because', 'it is outside of the folder of its owner'],
    [
      'behind of ann for /other/link is left out, because',
      'it lies behind a link that leaves the folder of its owner',
    ],
    ['orphan of user 9 for /docs/ is left out, because', 'its owner is not here'],
    ['cannot of cid for /docs/ is left out, because', 'its owner may not share here'],
    [
      'exception of ann for /media/ is left out, because',
      'access rules treated its owner and guests in different ways',
    ],
    ['a/b of ann for /docs/ is left out, because', 'its address cannot be an address here'],
    ['elsewhere of ann for /docs/ is left out, because', 'its source, /srv/none, is not configured'],
  ])
    expect(out).toContain(`The share ${at} ${reason}`)
  expect(out).toContain('The title and the look of 1 share are left out.')
})

test('the configuration file replaces the sources of the first start', async () => {
  const { run, cwd, usersOf } = createImport(quantumDatabase({ users: [{ username: 'ann' }] }))
  writeFileSync(
    path.join(cwd, 'config.yaml'),
    'server:\n  sources: [{ path: /srv/files, name: now, config: { denyByDefault: true } }]\n',
  )
  expect((await run('--dry-run')).out).toContain('name it with --quantumConfig')
  const { out } = await run('--quantumConfig', 'config.yaml')
  expect([out.includes('--quantumConfig'), out.includes('The source now, /srv/files')]).toEqual([false, true])
  expect((await usersOf())[0]?.rules).toHaveLength(1)
})

test.each([
  ['a missing database', ['import quantum absent.db'], 'there is no file absent.db'],
  ['a folder', ['import quantum files'], 'files is not a file'],
  [
    'an invalid list of sources',
    ['import quantum quantum.db', '--sources', 'x'],
    'pairs such as /srv/files=/',
  ],
  [
    'a missing configuration',
    ['import quantum quantum.db', '--quantumConfig', 'no.yaml'],
    'there is no file no.yaml',
  ],
  ['a broken configuration', ['import quantum quantum.db', '--quantumConfig', 'bad.yaml'], 'bad.yaml: '],
  [
    'a configuration without sources',
    ['import quantum quantum.db', '--quantumConfig', 'none.yaml'],
    'no sources are named',
  ],
  ['a database of File Browser', ['import quantum original.db'], 'is taken over with: stowage takeover'],
  ['another file', ['import quantum bad.yaml'], 'is too short to be a Bolt file'],
])('%s is refused in one line, and nothing is made', async (_case, [line = '', ...flags], reason) => {
  const { cli, cwd, root } = createImport()
  writeFileSync(path.join(cwd, 'bad.yaml'), 'a: [')
  writeFileSync(path.join(cwd, 'none.yaml'), 'server: {}\n')
  writeFileSync(path.join(cwd, 'original.db'), fixtureBytes('filebrowser-v2.63/filebrowser.db'))
  const before = readdirSync(cwd)
  const { code, out, err } = await cli(line, ...flags, '-r', root)
  expect([code === 0, out, err.trimEnd().split('\n').length]).toEqual([false, '', 1])
  expect(err).toContain(reason)
  expect(readdirSync(cwd)).toEqual(before)
})

test('a dry run into a database of File Browser asks for its takeover first', async () => {
  const { runWords, cwd } = createImport()
  writeFileSync(path.join(cwd, 'old.db'), fixtureBytes('filebrowser-v2.63/filebrowser.db'))
  const before = readdirSync(cwd)
  const { code, err } = await runWords(
    'import',
    'quantum',
    'quantum.db',
    '--dry-run',
    '-d',
    'old.db',
    '-r',
    'files',
  )
  expect([code, readdirSync(cwd)]).toEqual([1, before])
  expect(err).toContain('take it over first with: stowage takeover')
})
