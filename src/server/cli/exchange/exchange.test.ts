import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCliContext, sessionOf } from '../../../../test/kit/cli-context.ts'
import { expectationsOf, fixtureBytes, originalVersions } from '../../../../test/kit/original-database.ts'
import type { AccessRule } from '../../../shared/domain/access.ts'
import { compileRules } from '../../access/rules.ts'
import { openRecords } from '../../records/open-records.ts'
import {
  firstConfigExport,
  laterConfigExport,
  samplePasswordHash,
  firstUsersExport,
  laterUsersExport,
} from '../../../../test/kit/exchange-samples.ts'

const forms = [['json'], ['yml'], ['yaml']]

/**
 * Creates two folders, each for one database. `put` writes a file into the first folder, and `carried` returns the path
 * of a file there.
 */
function createTwoContexts() {
  const [first, second] = [createCliContext(), createCliContext()]
  const put = (name: string, content: string) => writeFileSync(path.join(first.cwd, name), content)
  const exportAndImport = (name: string) => path.join(first.cwd, name)
  return { first, second, put, carried: exportAndImport }
}

const settingsOf = (world: ReturnType<typeof createCliContext>) =>
  world.withRecords(async ({ settings }) => ({
    settings: await settings.get(),
    signIn: await settings.signIn(),
    server: await settings.server(),
  }))
const usersOf = (world: ReturnType<typeof createCliContext>) =>
  world.withRecords(async ({ users }) =>
    (await users.list()).map(({ changedAtMs: _changedAtMs, ...user }) => user),
  )

test.each(forms)(
  'users move from one database to a new database by .%s without loss (14.2)',
  async (ending) => {
    const { first, second, carried } = createTwoContexts()
    await first.cli('config init')
    await first.cli(
      'users add 0042',
      'a long password',
      '--perm.admin',
      '--commands',
      'git,ls',
      '--scope',
      '/Ü: #1',
      '--quota=20G',
    )
    await first.cli('users add gone', 'a long password')
    await first.cli('users add yes', 'a long password', '--sorting.by=size', '--viewMode', 'mosaic gallery')
    await first.cli('users rm gone')
    await first.cli('rules add -r', '[0-9]{4}: .*\\.tmp$', '-u', 'yes')
    await first.cli('rules add /a', '-u', 'yes')
    expect((await first.cli(`users export u.${ending}`)).code).toBe(0)
    expect(statSync(carried(`u.${ending}`)).mode & 0o777).toBe(0o600)
    const { code, out } = await second.cli('users import', carried(`u.${ending}`))
    expect([code, out.includes('$')]).toEqual([0, false])
    expect(await usersOf(second)).toEqual(await usersOf(first))
    expect((await usersOf(second)).map(({ id }) => id)).toEqual([1, 3])
  },
)

test.each(forms)(
  'settings move from one database to a new database by .%s without loss (14.2)',
  async (ending) => {
    const { first, second, carried } = createTwoContexts()
    await first.cli(
      'config init -s --port 9000 --log= --createUserDir --hideLoginButton=false --auth.method proxy --auth.header X-User',
      '--recaptcha.key=site',
      '--recaptcha.secret=hush',
      '--branding.name=A & "B"',
      '--branding.reportIssueURL=/x',
      '--fileMode=0600',
      '--disableExec=false',
      '--disableThumbnails',
      '--auth.trustedProxies=10.0.0.0/8',
      '--perm.share=false',
      '--quota=1T',
      '--tus.retryCount=0',
      '--shell=/bin/sh -c',
    )
    await first.cli('rules add /internal')
    await first.cli('cmds add after_upload', 'touch x &')
    await first.withRecords(({ settings }) => settings.change({ trash: false }))
    expect((await first.cli(`config export c.${ending}`)).code).toBe(0)
    const { code, out } = await second.cli('config import', carried(`c.${ending}`))
    expect([code, out.includes('hush')]).toEqual([0, false])
    expect(await settingsOf(second)).toEqual(await settingsOf(first))
    const keys = [first, second].map((world) => world.withRecords(({ settings }) => settings.key()))
    expect(await keys[1]).toHaveLength(64)
    expect(await keys[0]).not.toEqual(await keys[1])
  },
)

test('an export contains the key and the names that File Browser uses (15.4, 8)', async () => {
  const { cli, cwd, withRecords } = createCliContext()
  await cli('config init')
  await cli('config export c.json')
  await cli('config export c.yml')
  const key = await withRecords(({ settings }) => settings.key())
  const json = JSON.parse(readFileSync(path.join(cwd, 'c.json'), 'utf8')) as Record<string, object>
  expect(json).toMatchObject({
    settings: {
      key: Buffer.from(key ?? []).toString('base64'),
      createUserDir: false,
      fileMode: 416,
      dirMode: 488,
    },
    server: { port: '8080', enableExec: false, enableThumbnails: true, tokenExpirationTime: '2h' },
    auther: { recaptcha: null },
  })
  const yaml = readFileSync(path.join(cwd, 'c.yml'), 'utf8')
  expect(yaml).toMatch(/^settings:\n {4}key:\n {8}- \d+\n/)
  for (const name of [
    'createuserdir',
    'hidedotfiles',
    'viewmode',
    'baseurl',
    'tlskey',
    'before_upload',
    'imageresolutioncal',
  ])
    expect(yaml).toMatch(new RegExp(`^ +${name}:`, 'm'))
})

test.each([
  ['later.json', laterConfigExport.json],
  ['later.yml', laterConfigExport.yaml],
])("the later original's %s is imported (15.3)", async (name, content) => {
  const { first, put } = createTwoContexts()
  put(name, content)
  const { code, out } = await first.cli('config import', name)
  expect([code, out.match(/^note: .*$/gm)]).toEqual([
    0,
    ['note: The option tokenExpirationTime is 87600h, which is the longest time. It was 876000h.'],
  ])
  const { settings, server, signIn } = await settingsOf(first)
  expect(server).toEqual({
    root: '/srv',
    baseURL: '/fb',
    port: '9010',
    log: 'stderr',
    tokenExpirationTime: '87600h',
    disableThumbnails: 'true',
    disableExec: 'false',
    fileMode: '0644',
  })
  expect(signIn).toEqual({ recaptcha: null, header: 'X-User', command: '' })
  expect(settings).toMatchObject({
    signup: true,
    authMethod: 'proxy',
    userHomeBasePath: '/people',
    minimumPasswordLength: 10,
    defaults: {
      viewMode: 'mosaic',
      sorting: { by: 'size', asc: true },
      perm: { admin: false, create: true },
    },
    branding: { name: 'Old & Co.', theme: '', reportIssueURL: '' },
    shell: ['/bin/sh', '-c'],
    tus: { chunkSize: 5_242_880, retryCount: 3 },
    trash: true,
    rules: [
      { regex: false, allow: false, path: '/internal', regexp: null },
      { regex: true, allow: false, path: '', regexp: { raw: '\\.secret$' } },
    ],
  })
  expect(settings.commands).toMatchObject({ before_copy: [], after_upload: ['touch x &'], my_own: ['true'] })
})

test.each(['json', 'yml'])(
  'the relative paths of a .%s configuration are relative to its folder, and are stored as absolute paths',
  async (ending) => {
    const { first, put } = createTwoContexts()
    mkdirSync(path.join(first.cwd, 'old/data'), { recursive: true })
    const files = { branding: { files: 'look' }, authMethod: 'json' }
    put(
      `old/c.${ending}`,
      JSON.stringify({
        settings: files,
        server: { root: './data', tlsKey: '../key.pem', log: 'stderr', tokenExpirationTime: '2h' },
        stowage: { options: { cacheDir: 'cache' } },
      }),
    )
    expect((await first.cli('config import', `old/c.${ending}`)).code).toBe(0)
    const { settings, server } = await settingsOf(first)
    expect(server).toMatchObject({
      root: path.join(first.cwd, 'old/data'),
      key: path.join(first.cwd, 'key.pem'),
      cacheDir: path.join(first.cwd, 'old/cache'),
    })
    expect(settings.branding.files).toBe(path.join(first.cwd, 'old/look'))
  },
)

test('a configuration of the first original lacks members, and its switches have no meaning (15.3)', async () => {
  const { first, put } = createTwoContexts()
  put('c.json', firstConfigExport)
  const { code, out } = await first.cli('config import c.json')
  expect([code, out.match(/^note:/gm)?.length]).toEqual([0, 1])
  const { settings, server } = await settingsOf(first)
  expect(server).toEqual({ root: '/srv' })
  expect(settings).toMatchObject({
    userHomeBasePath: '/users',
    logoutPage: '/login',
    minimumPasswordLength: 12,
    tus: { chunkSize: 10_485_760, retryCount: 5 },
    rules: [],
  })
})

test.each([
  // An early version failed every request of a user whose rule it could not read.
  ['first.json', firstUsersExport, { regex: false, allow: false, path: '/', regexp: null }],
  ['later.yml', laterUsersExport, { regex: true, allow: false, path: '', regexp: { raw: '(' } }],
])(
  "the original's users in %s are imported with hashes, ids and rules (14.2)",
  async (name, content, rule) => {
    const { first, put } = createTwoContexts()
    put(name, content)
    expect((await first.cli('users import', name, '-r', first.cwd)).code).toBe(0)
    expect(await usersOf(first)).toMatchObject([
      {
        id: 1,
        username: 'admin',
        passwordHash: samplePasswordHash,
        perm: { admin: true, delete: false },
        viewMode: 'list',
      },
      {
        id: 12,
        username: '0042',
        scope: '/users/0042',
        lockPassword: true,
        rules: [rule],
      },
    ])
  },
)

/** Creates the users Ann (1, an administrator) and bob (2), and exports them. */
async function exported() {
  const world = createCliContext()
  await world.cli('config init')
  await world.cli('users add ann', 'a long password', '--perm.admin')
  await world.cli('users add bob', 'a long password')
  await world.cli('users export u.json')
  return world
}

test('users with existing ids are refused, overwritten or replaced by the list (14.2)', async () => {
  const world = await exported()
  const before = await usersOf(world)
  expect((await world.cli('users import u.json')).code).toBe(1)
  await world.cli('users update bob --locale=de')
  await world.cli('users add carl', 'a long password')
  await world.cli('users import u.json --overwrite')
  expect((await usersOf(world)).map(({ username, locale }) => [username, locale])).toEqual([
    ['ann', 'en'],
    ['bob', 'en'],
    ['carl', 'en'],
  ])
  await world.cli('users import u.json --replace')
  expect(await usersOf(world)).toEqual(before)
})

test('a user with another name under an existing id is another person, who gets a new id', async () => {
  const world = await exported()
  await world.cli('users update bob -u bea')
  await world.cli('users import u.json --replace')
  expect((await usersOf(world)).map(({ id, username }) => [id, username])).toEqual([
    [1, 'ann'],
    [3, 'bob'],
  ])
})

test('two users who swap names in a file are swapped, and logged out', async () => {
  const world = await exported()
  await world.withRecords(({ sessions }) => sessions.add(sessionOf(2)))
  const swapped = fileOf([
    [1, 'bob'],
    [2, 'ann'],
  ])
  writeFileSync(path.join(world.cwd, 'u.json'), swapped)
  expect(await world.cli('users import u.json --overwrite')).toMatchObject({ code: 0, err: '' })
  expect((await usersOf(world)).map(({ id, username }) => `${id} ${username}`)).toEqual(['1 bob', '2 ann'])
  expect(await world.withRecords(({ sessions }) => sessions.listOf(2))).toEqual([])
})

/** Returns the text of a file with the given users (id and name). */
const fileOf = (people: readonly (readonly [number, string])[]) =>
  JSON.stringify(
    people.map(([id, username]) => ({ id, username, password: samplePasswordHash, perm: { admin: true } })),
  )

const three = [
  [1, 'ann'],
  [2, '5'],
  [3, 'bea'],
] as const

test.each([
  ['into a new database', { before: ['tmp'], gone: ['tmp'], flags: [] }, ['2 5', '3 bea', '4 ann']],
  [
    'with --overwrite, without existing ids',
    { before: ['tmp'], gone: ['tmp'], flags: ['--overwrite'] },
    ['2 5', '3 bea', '4 ann'],
  ],
  [
    'with --overwrite, over existing users',
    { before: ['kim', 'lee'], gone: [], flags: ['--overwrite'] },
    ['1 ann', '2 5', '3 bea'],
  ],
  [
    'with --replace, in place of existing users',
    { before: ['kim', 'lee'], gone: [], flags: ['--replace'] },
    ['3 bea', '4 ann', '5 5'],
  ],
])(
  'three users that are imported %s are stored as three users',
  async (_case, { before, gone, flags }, after) => {
    const world = createCliContext()
    await world.cli('config init')
    for (const name of before) await world.cli(`users add ${name}`, 'a long password')
    for (const name of gone) await world.cli(`users rm ${name}`)
    writeFileSync(path.join(world.cwd, 'u.json'), fileOf(three))
    expect((await world.cli('users import u.json', ...flags)).code).toBe(0)
    expect((await usersOf(world)).map(({ id, username }) => `${id} ${username}`)).toEqual(after)
  },
)

test('users keep their ids in any order of the file', async () => {
  const { first, put } = createTwoContexts()
  put(
    'u.json',
    fileOf([
      [7, 'zoe'],
      [0, 'new'],
      [2, 'bob'],
      [4, 'ann'],
    ]),
  )
  expect((await first.cli('users import u.json')).code).toBe(0)
  await first.cli('users add next', 'a long password')
  expect((await usersOf(first)).map(({ id, username }) => [id, username])).toEqual([
    [2, 'bob'],
    [4, 'ann'],
    [7, 'zoe'],
    [8, 'new'],
    [9, 'next'],
  ])
})

test('names that differ only in case stay unchanged (10.1)', async () => {
  const { first, put } = createTwoContexts()
  put(
    'u.json',
    JSON.stringify(
      ['ann', 'Ann'].map((username, at) => ({ id: at + 1, username, password: samplePasswordHash })),
    ),
  )
  expect((await first.cli('users import u.json')).code).toBe(0)
  expect((await first.cli('users update Ann --locale=de')).code).toBe(0)
  expect((await first.cli('users add ANN', 'a long password')).code).toBe(1)
})

test('imports work while the server runs', async () => {
  const world = await exported()
  const server = await openRecords({ database: world.file, nowMs: Date.now })
  await world.cli('users rm bob')
  expect((await world.cli('users import u.json --overwrite')).code).toBe(0)
  expect((await server.users.findByName('bob'))?.id).toBe(3)
  await server.close()
})

const noAdmin = JSON.stringify([{ id: 1, username: 'x', password: samplePasswordHash }])

test.each([
  ['an unknown extension', 'users export u.txt', '', 2],
  ['a file without an extension', 'config import c', '{}', 2],
  ['a missing file', 'users import none.json', null, 1],
  ['broken JSON', 'config import c.json', '{', 1],
  ['broken YAML', 'config import c.yml', 'a: [', 1],
  ['a list instead of settings', 'config import c.json', '[]', 1],
  ['empty settings', 'config import c.json', '{}', 1],
  ['an unknown login method', 'config import c.json', '{"settings":{"authMethod":"magic"}}', 1],
  ['a text as the value of a switch', 'config import c.json', '{"settings":{"signup":"yes"}}', 1],
  ['an object instead of a list of users', 'users import u2.json', '{}', 1],
  ['a plain password', 'users import u2.json', '[{"username":"x","password":"y"}]', 1],
  ['a user without a name', 'users import u2.json', JSON.stringify([{ password: samplePasswordHash }]), 1],
  [
    'a duplicate id',
    'users import u2.json',
    JSON.stringify([1, 1].map((id) => ({ id, username: 'x', password: samplePasswordHash }))),
    1,
  ],
  [
    'a taken name',
    'users import u2.json',
    JSON.stringify([{ id: 9, username: 'ann', password: samplePasswordHash }]),
    1,
  ],
  ['a replacement without an administrator', 'users import u2.json --replace', noAdmin, 1],
  ['an overwrite that leaves no administrator', 'users import u2.json --overwrite', noAdmin, 1],
])('%s is reported in one line and changes nothing', async (_case, words, content, code) => {
  const world = await exported()
  const [, , name = ''] = words.split(' ')
  if (content !== null) writeFileSync(path.join(world.cwd, name), content)
  const before = [await usersOf(world), await settingsOf(world)]
  const ended = await world.cli(words)
  expect([ended.code, ended.out, ended.err.trimEnd().split('\n').length]).toEqual([code, '', 1])
  expect([await usersOf(world), await settingsOf(world)]).toEqual(before)
})

test.each([
  ['config export c.json'],
  ['users export u.yml'],
  ['config import c.json'],
  ['users import u.json'],
])('%s without a database or a file creates nothing', async (words) => {
  const { cli, cwd } = createCliContext()
  expect(await cli(words)).toMatchObject({ code: 1, out: '' })
  expect(readdirSync(cwd)).toEqual([])
})

test('an import of an invalid file creates no database', async () => {
  const { cli, cwd, file } = createCliContext()
  writeFileSync(path.join(cwd, 'c.json'), '{"settings":{"rules":7}}')
  expect((await cli('config import c.json')).code).toBe(1)
  expect(existsSync(file)).toBe(false)
})

test.each(originalVersions.flatMap((version) => ['json', 'yml'].map((ending) => [version, ending] as const)))(
  'the real exports of %s as .%s are imported without loss',
  async (version, ending) => {
    const { first, put } = createTwoContexts()
    for (const name of ['config', 'users']) {
      const file = `${name}.${ending}`
      put(file, fixtureBytes(`${version}/exports/${file}`).toString())
      expect((await first.cli(`${name} import ${file} -r ${first.cwd}`)).code).toBe(0)
    }
    const { users, config } = expectationsOf(version)
    const stored = await usersOf(first)
    expect(
      stored.map(({ passwordHash: password, rules, ...user }) => ({
        ...user,
        password,
        rules: withoutSecondRules(rules),
      })),
    ).toMatchObject(users)
    const { rules, ...settings } = (await settingsOf(first)).settings
    expect({ ...settings, rules: withoutSecondRules(rules) }).toMatchObject(
      withoutOtherMembers(config.settings),
    )
  },
)

/** Returns rules without those that an import adds for siblings of denied paths. */
const withoutSecondRules = (rules: readonly AccessRule[]) =>
  rules.filter(({ regexp }) => regexp?.raw.endsWith('[^/]') !== true)

const early = (id: number, fields: object) => ({
  id,
  username: `user${id}`,
  password: samplePasswordHash,
  scope: '.',
  perm: {},
  rules: [],
  ...fields,
})
const denyDocs = { regex: false, allow: false, path: '/docs', regexp: null }

test('users of an early version reach no more than before', async () => {
  const { first, put } = createTwoContexts()
  for (const folder of ['media', 'users/joe']) mkdirSync(path.join(first.cwd, folder), { recursive: true })
  const users = [
    early(1, { perm: { admin: true }, scope: '/media' }),
    early(2, { rules: [denyDocs] }),
    early(3, { scope: '/media' }),
    early(4, { scope: '../media' }),
    early(5, { scope: `${first.cwd}/users/joe` }),
    early(6, { scope: '/' }),
    early(7, { scope: '/media', redirectAfterCopyMove: false, rules: [denyDocs] }),
  ]
  put('u.json', JSON.stringify(users))
  const refused = await first.cli('users import u.json')
  expect([refused.code, refused.err.includes('name the served folder with -r')]).toEqual([1, true])
  const { out } = await first.cli(`users import u.json -r ${first.cwd}`)
  const enabling = 'Look at the folder and the rules, and then run stowage users update NAME --disabled=false'
  const folder = 'because its scope may be another folder than before'
  const rules = 'because rules, also those of settings that you import later, match other files in its scope'
  expect(out).toContain(`User user3: The account is disabled, ${folder}. ${enabling}`)
  expect(out).toContain(`User user6: The account is disabled, ${rules} than before. ${enabling}`)
  const stored = await usersOf(first)
  expect(stored.flatMap(({ id, isDisabled }) => (isDisabled ? [id] : []))).toEqual([3, 4, 6])
  expect(stored[4]?.scope).toBe('/users/joe')
  const reachOf = async (id: number) =>
    ['/docs', '/docs2', '/other'].filter(
      (await compileRules(stored[id - 1]?.rules ?? [])) as (at: string) => boolean,
    )
  expect([await reachOf(2), await reachOf(7)]).toEqual([['/other'], ['/docs2', '/other']])
})

test('settings of an early version open no more than before', async () => {
  const { first, put } = createTwoContexts()
  const settings = { signup: true, rules: [denyDocs], defaults: { scope: '/media' } }
  put('c.json', JSON.stringify({ settings, server: {}, auther: {} }))
  expect((await first.cli('config import c.json')).out).toContain('note: Signup is off')
  const { settings: stored } = await settingsOf(first)
  expect([stored.signup, stored.rules.length]).toEqual([false, 2])
})

/** Returns the settings of an export without the members that are stored elsewhere. */
const withoutOtherMembers = ({
  key: _key,
  fileMode: _fileMode,
  dirMode: _dirMode,
  hideDotfiles: _hideDotfiles,
  ...settings
}: Readonly<Record<string, unknown>>) => settings
