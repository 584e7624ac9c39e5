import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createCliContext, nowMs } from '../../../../test/kit/cli-context.ts'
import { sharedPasswordThreads } from '../../../../test/kit/shared-threads.ts'
import { createPasswords } from '../../auth/passwords.ts'
import { resolveConfig } from '../../config/load-config.ts'
import { realEnvironment } from '../../config/config-environment.ts'
import { openRecords } from '../../records/open-records.ts'
import type { ServerRecords } from '../../records/port.ts'
import { configSet } from '../settings/config-verbs.ts'
import { usersUpdate } from '../users/user-verbs.ts'
import type { CliVerb } from '../verb/verb.ts'
import { hooksAdd, hooksRemove } from './hook-verbs.ts'
import { rulesAdd, rulesRemove } from './rules-verbs.ts'

/** Creates a database with the users ann (1) and 7 (2), three global rules and a rule for ann. */
async function withRules() {
  const world = createCliContext()
  const { cli } = world
  await cli('config init')
  await cli('users add ann', 'a long password')
  await cli('users add 7', 'a long password')
  await cli('rules add /internal')
  await cli('rules add -r', '\\.secret$')
  await cli('rules add internal/public -a')
  await cli('rules add -a -r ^/keep$ -u ann')
  const rulesOf = (id: number) => world.withRecords(async ({ users }) => (await users.find(id))?.rules)
  return {
    ...world,
    rulesOf,
    globalRules: () => world.withRecords(async ({ settings }) => (await settings.get()).rules),
  }
}

test('rules are added for everybody and for one user (14.2)', async () => {
  const { globalRules, rulesOf } = await withRules()
  expect(await globalRules()).toEqual([
    { regex: false, allow: false, path: '/internal', regexp: null },
    { regex: true, allow: false, path: '', regexp: { raw: '\\.secret$' } },
    { regex: false, allow: true, path: '/internal/public', regexp: null },
  ])
  expect(await rulesOf(1)).toEqual([{ regex: true, allow: true, path: '', regexp: { raw: '^/keep$' } }])
  expect(await rulesOf(2)).toEqual([])
})

test('rules are listed as File Browser lists them (14.2)', async () => {
  const { cli } = await withRules()
  expect((await cli('rules ls')).out).toBe(
    'Global Rules:\n\n(0) Disallow Path: \t/internal\n(1) Disallow Regex: \t\\.secret$\n(2) Allow Path: \t/internal/public\n',
  )
  const ofAnn = 'Rules of ann:\n\n(0) Allow Regex: \t^/keep$\n'
  expect([(await cli('rules ls -i 1')).out, (await cli('rules ls --username ann')).out]).toEqual([
    ofAnn,
    ofAnn,
  ])
  expect((await cli('rules ls -u 7')).out).toBe('Rules of 7:\n\n')
})

test('a rule is removed by its index, several by the first and the last index (14.2)', async () => {
  const { cli, globalRules, rulesOf } = await withRules()
  expect((await cli('rules rm 1 2')).out).toBe('Global Rules:\n\n(0) Disallow Path: \t/internal\n')
  expect(await globalRules()).toHaveLength(1)
  expect((await cli('rules rm 0 --index 5')).code).toBe(0)
  expect(await globalRules()).toEqual([])
  await cli('rules rm 0 -u ann')
  expect(await rulesOf(1)).toEqual([])
})

test('hooks are added, listed and removed (14.2)', async () => {
  const { cli, run, withRecords } = createCliContext()
  await cli('config init')
  await cli('cmds add before_upload', 'sh -c "echo $FILE"')
  await run('cmds', 'add', '-d', 'x.db', 'after_upload', 'logger', '--', '-t', 'fb', '$FILE')
  await cli('cmds add after_upload touch x')
  await cli('cmds add after_save sync &')
  const commands = await withRecords(async ({ settings }) => (await settings.get()).commands)
  expect(commands).toMatchObject({
    before_upload: ['sh -c "echo $FILE"'],
    after_upload: ['logger -t fb $FILE', 'touch x'],
    after_save: ['sync &'],
    after_copy: [],
  })
  const upload =
    'before_upload(0): sh -c "echo $FILE"\nafter_upload(0): logger -t fb $FILE\nafter_upload(1): touch x\n'
  expect((await cli('cmds ls -e upload')).out).toBe(upload)
  expect((await cli('cmds ls -e after_save')).out).toBe('after_save(0): sync &\n')
  expect((await cli('cmds ls')).out.trimEnd().split('\n')).toHaveLength(4)
  await cli('cmds rm after_upload 0 1')
  expect((await cli('cmds ls -e upload')).out).toBe('before_upload(0): sh -c "echo $FILE"\n')
  await cli('cmds rm before_upload 0 --index=0')
  expect((await cli('cmds ls -e upload')).out).toBe('\n')
})

test('lists are changed while the server runs', async () => {
  const { cli, file } = createCliContext()
  await cli('config init')
  const server = await openRecords({ database: file, nowMs: Date.now })
  expect((await cli('rules add /x')).code).toBe(0)
  expect((await server.settings.get()).rules).toHaveLength(1)
  await server.close()
})

/**
 * Runs calls of verbs concurrently on one open database. The database serializes their transactions, as it does for
 * separate processes.
 */
async function runConcurrently(
  { cwd, withRecords }: ReturnType<typeof createCliContext>,
  calls: readonly ConcurrentVerbCall[],
) {
  const io = { stdout: process.stdout, stderr: process.stderr, env: {}, cwd, nowMs, randomBytes, version: '' }
  const loaded = resolveConfig(new Map(), realEnvironment({}, cwd))
  const call = {
    loaded,
    resolve: () => loaded,
    io,
    passwords: createPasswords({ ...io, threads: sharedPasswordThreads() }),
    print: () => {},
  }
  const start = (records: ServerRecords, { verb, words, flags = new Map() }: ConcurrentVerbCall) => {
    if (verb.worksOn !== 'database') throw new Error(`${verb.name} takes no open database`)
    return verb.run({ ...call, words, flags, records })
  }
  await withRecords((records) => Promise.all(calls.map((one) => start(records, one))))
}

type ConcurrentVerbCall = {
  readonly verb: CliVerb
  readonly words: readonly string[]
  readonly flags?: ReadonlyMap<string, string>
}

const ofAnn = new Map([['username', 'ann']])
const thrice = (callOf: (n: string) => ConcurrentVerbCall) => ['1', '2', '3'].map(callOf)

test('concurrent additions to lists are all stored', async () => {
  const world = await withRules()
  await runConcurrently(world, [
    ...thrice((n) => ({ verb: rulesAdd, words: [n] })),
    ...thrice((n) => ({ verb: rulesAdd, words: [n], flags: ofAnn })),
    ...thrice((n) => ({ verb: hooksAdd, words: ['after_save', n] })),
    ...thrice((n) => ({ verb: hooksAdd, words: ['after_copy', n] })),
  ])
  const { rules, commands } = await world.withRecords(({ settings }) => settings.get())
  expect({
    rules: rules.slice(3).map(({ path }) => path),
    ofAnn: (await world.rulesOf(1))?.slice(1).map(({ path }) => path),
    saving: commands['after_save'],
    copying: commands['after_copy'],
  }).toEqual({
    rules: ['/1', '/2', '/3'],
    ofAnn: ['/1', '/2', '/3'],
    saving: ['1', '2', '3'],
    copying: ['1', '2', '3'],
  })
})

test('concurrent removals from lists all take effect, index by index', async () => {
  const world = await withRules()
  await world.cli('cmds add after_save a')
  await world.cli('cmds add after_save b')
  const [rule, hook] = [
    { verb: rulesRemove, words: ['0'] },
    { verb: hooksRemove, words: ['after_save', '0'] },
  ]
  await runConcurrently(world, [rule, rule, hook, hook])
  expect((await world.globalRules()).map(({ path }) => path)).toEqual(['/internal/public'])
  expect((await world.cli('cmds ls')).out).toBe('\n')
})

const flag = (name: string, value: string) => new Map([[name, value]])

const update = (name: string, value: string): ConcurrentVerbCall => ({
  verb: usersUpdate,
  words: ['ann'],
  flags: flag(name, value),
})
const set = (name: string, value: string): ConcurrentVerbCall => ({
  verb: configSet,
  words: [],
  flags: flag(name, value),
})

test('concurrent changes of one user by several verbs are all stored', async () => {
  const world = await withRules()
  await runConcurrently(world, [
    update('locale', 'de'),
    update('password', 'another long one'),
    update('scope', '/ann'),
    update('perm.share', 'false'),
    update('perm.delete', 'false'),
    { verb: rulesAdd, words: ['/late'], flags: ofAnn },
    update('hideDotfiles', 'true'),
  ])
  const ann = await world.withRecords(({ users }) => users.find(1))
  expect(ann).toMatchObject({
    locale: 'de',
    scope: '/ann',
    perm: { share: false, delete: false, create: true },
    hideDotfiles: true,
  })
  expect(ann?.rules.at(-1)?.path).toBe('/late')
  const passwords = createPasswords({ randomBytes, threads: sharedPasswordThreads() })
  expect(await passwords.verify('another long one', ann?.passwordHash ?? '')).toBe(true)
})

test('concurrent changes of settings are all stored', async () => {
  const world = await withRules()
  await runConcurrently(world, [
    set('branding.name', 'Ours'),
    set('branding.color', '#123456'),
    { verb: rulesAdd, words: ['/late'] },
    set('perm.share', 'false'),
    set('locale', 'de'),
    set('auth.header', 'X-User'),
    set('signup', 'true'),
  ])
  const [settings, signIn] = await world.withRecords(async ({ settings: store }) => [
    await store.get(),
    await store.signIn(),
  ])
  expect(settings).toMatchObject({
    branding: { name: 'Ours', color: '#123456' },
    defaults: { locale: 'de', perm: { share: false, create: true } },
    signup: true,
  })
  expect([settings.rules.at(-1)?.path, signIn.header]).toEqual(['/late', 'X-User'])
})

test.each([
  ['an invalid expression', ['rules', 'add', '-r', '('], 1],
  ['a rule that is too long', ['rules', 'add', 'x'.repeat(1025)], 1],
  ['an unknown user name', ['rules', 'add', '/x', '-u', 'zed'], 1],
  ['an unknown user id', ['rules', 'ls', '-i', '9'], 1],
  ['a user given by name and by id', ['rules', 'ls', '-i', '1', '-u', 'ann'], 2],
  ['an id that is a word', ['rules', 'ls', '-i', 'ann'], 2],
  ['an index beyond the rules', ['rules', 'rm', '3'], 1],
  ['an end beyond the rules', ['rules', 'rm', '0', '3'], 1],
  ['a reversed range', ['rules', 'rm', '1', '0'], 2],
  ['a reversed range beyond the rules', ['rules', 'rm', '9', '8'], 2],
  ['an index that is a word', ['rules', 'rm', 'one'], 2],
  ['a removal without an index', ['rules', 'rm'], 2],
  ['three indexes', ['rules', 'rm', '0', '1', '2'], 2],
  ['an unknown event', ['cmds', 'add', 'before_lunch', 'true'], 1],
  ['an event named like a member of every object', ['cmds', 'add', 'constructor', 'true'], 1],
  ['a list of an unknown event', ['cmds', 'ls', '-e', 'lunch'], 1],
  ['an empty command', ['cmds', 'add', 'before_copy', ' '], 1],
  ['an addition without a command', ['cmds', 'add', 'before_copy'], 2],
  ['an index beyond the commands', ['cmds', 'rm', 'before_copy', '0'], 1],
])('%s is reported in one line and changes nothing', async (_case, words, code) => {
  const { run, withRecords } = await withRules()
  const state = () => withRecords(async ({ users, settings }) => [await users.list(), await settings.get()])
  const before = await state()
  const ended = await run(...words, '-d', 'x.db')
  expect([ended.code, ended.out, ended.err.trimEnd().split('\n').length]).toEqual([code, '', 1])
  expect(await state()).toEqual(before)
})

test.each([['rules ls'], ['rules add /x'], ['rules rm 0'], ['cmds ls'], ['cmds add before_copy x']])(
  '%s without a database fails and creates none',
  async (words) => {
    const { cli, cwd } = createCliContext()
    expect(await cli(words)).toMatchObject({ code: 1, out: '' })
    expect(readdirSync(cwd)).toEqual([])
  },
)
