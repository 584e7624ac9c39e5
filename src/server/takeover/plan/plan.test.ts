import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { pathOf, type Path } from '../../../shared/domain/path.ts'
import { textOfMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import { sentenceOf } from '../../../shared/domain/takeover/takeover-report.ts'
import { compileRules } from '../../access/rules.ts'
import { createRecordReader } from '../../exchange/record-reader.ts'
import type { OriginalState } from '../original/read-original.ts'
import { planRules } from './plan-rules.ts'
import { planScope, type ScopeContext } from './plan-scope.ts'
import { planTakeover } from './plan-takeover.ts'
import { createServedFolder, type ServedFolder } from './served-folder.ts'

/** A served folder `/srv` with the given folders and files. */
const folderWith = (...paths: readonly string[]): ScopeContext & Pick<ServedFolder, 'namesIn'> => ({
  root: '/srv',
  formerRoot: null,
  isOtherFolder: () => false,
  hasFolder: (at) => at === '/' || paths.includes(at),
  namesIn: (_scope, at) =>
    paths.filter((one) => path.posix.dirname(one) === at).map((one) => path.posix.basename(one)),
})

const earlier = { confinesScopes: false, comparesWholeNames: false }
const later = { confinesScopes: true, comparesWholeNames: true }

describe('a scope of an early version', () => {
  test.each([
    ['.', '.', '', false],
    ['users/joe', 'users/joe', '', false],
    ['a/../users/joe', 'a/../users/joe', 'is read as /users/joe', false],
    ['gone', 'gone', 'there is no such folder', false],
    ['/srv/users/joe', '/users/joe', 'the same folder below the root', false],
    ['/srv', '/', 'the same folder below the root', false],
    ['/', '/', 'It is / below the root now.', false],
    ['/media', '/media', 'There is no folder /media below the root.', false],
    ['/users', '/users', 'It is /users below the root now.', true],
    ['../users', '../users', 'It is /users below the root now.', true],
    ['../srv/users', '../srv/users', 'there is no such folder', false],
  ])('%s is %s', (written, scope, note, isDoubtful) => {
    const plan = planScope(written, folderWith('/users', '/users/joe'), earlier)
    expect([plan.scope, plan.isDoubtful]).toEqual([scope, isDoubtful])
    expect(plan.note === null ? '' : textOfMessage(plan.note)).toContain(note)
  })

  test('inside the root is not changed where it could be another folder as well', () => {
    const plan = planScope('/srv/users', folderWith('/srv/users', '/users'), earlier)
    expect([plan.scope, plan.isDoubtful]).toEqual(['/srv/users', true])
  })
})

/** Plans a scope of an early version that served `/srv`. The served folder is `/files` now. */
const planWith = (written: string, context: Partial<ScopeContext>, ...folders: readonly string[]) =>
  planScope(written, { ...folderWith(...folders), root: '/files', formerRoot: '/srv', ...context }, earlier)

describe('a scope inside the former root', () => {
  test.each([
    ['/srv/projects', '/projects'],
    ['/srv/./projects/', '/projects'],
    ['/srv', '/'],
    ['/srv/gone', '/srv/gone'],
    ['/srv2/projects', '/srv2/projects'],
    ['/srv/../projects', '/srv/../projects'],
  ])('%s is %s below the root', (written, scope) => {
    const plan = planWith(written, {}, '/projects')
    const isFormer = scope !== written
    expect(plan).toMatchObject({ scope, isDoubtful: written === '/srv/../projects', containedRoot: false })
    expect([plan.formerFolder === null, plan.note?.code === 'scope-same-folder']).toEqual([
      isFormer,
      isFormer,
    ])
  })

  test.each<[string, Partial<ScopeContext>, readonly string[]]>([
    ['when the database names no root', { formerRoot: '' }, []],
    ['when the former root was relative', { formerRoot: '.' }, []],
    ['when everything was served', { formerRoot: '/' }, ['/srv/projects']],
    ['when this machine has another folder of this path', { isOtherFolder: () => true }, []],
    ['when the root has a folder of this path as well', {}, ['/srv/projects']],
    ['when the scope can be two folders of the root', { root: '/srv/projects' }, ['/projects']],
  ])('shows no folder that it did not show: %s', (_case, context, others) => {
    const plan = planWith('/srv/projects', context, '/projects', ...others)
    expect([plan.scope, plan.isDoubtful, plan.formerFolder]).toEqual([
      '/srv/projects',
      others.includes('/srv/projects'),
      '/srv/projects',
    ])
  })

  test('is the same folder when the root has not moved, also with a slash behind it', () => {
    for (const formerRoot of ['/files', '/files/'])
      expect(planWith('/files/projects', { formerRoot }, '/projects').scope).toBe('/projects')
  })

  test('is the same folder when this machine has it under both paths', () => {
    const [root, formerRoot] = [temporaryFolder(), path.join(temporaryFolder(), 'srv')]
    mkdirSync(path.join(root, 'projects'))
    mkdirSync(path.join(root, 'other'))
    symlinkSync(root, formerRoot)
    const scopeOf = (name: string) => {
      const folder = createServedFolder(root, { followExternalSymlinks: false, formerRoot })
      return planScope(path.join(formerRoot, name), folder, earlier).scope
    }
    expect(scopeOf('projects')).toBe('/projects')
    rmSync(formerRoot)
    mkdirSync(path.join(formerRoot, 'other'), { recursive: true })
    expect([scopeOf('projects'), scopeOf('other')]).toEqual(['/projects', path.join(formerRoot, 'other')])
  })
})

test('an absolute scope of a later version means what it meant', () => {
  const folder = folderWith('/users', '/users/joe')
  expect(planScope('/users/joe', folder, later)).toEqual({
    scope: '/users/joe',
    note: null,
    isDoubtful: false,
    formerFolder: null,
    containedRoot: false,
  })
})

const rulesPlanOf = (rules: readonly object[], traits = earlier) =>
  planRules(createRecordReader({ rules }, 'user'), {
    traits,
    folder: folderWith('/docs', '/docs2', '/docs.txt', '/docs2/a', '/other'),
    scopes: ['/' as Path],
  })

const rule = (allow: boolean, at: string) => ({ regex: false, allow, path: at, regexp: { raw: '' } })

const permits = async (rules: readonly object[], traits = earlier) => {
  const filter = await compileRules((await rulesPlanOf(rules, traits)).rules)
  return ['/docs', '/docs/a', '/docs2', '/docs2/a', '/docs.txt', '/other'].filter((at) => filter(at as Path))
}

describe('rules allow nothing that they did not allow before:', () => {
  test('entries whose names begin like a denied path stay denied', async () => {
    expect(await permits([rule(false, '/docs')])).toEqual(['/other'])
    expect((await rulesPlanOf([rule(false, '/docs')])).changed.map((note) => textOfMessage(note))).toEqual([
      expect.stringContaining('/docs2, /docs.txt'),
    ])
  })
  test('entries that are made later stay denied as well', async () => {
    const filter = await compileRules((await rulesPlanOf([rule(false, '/other')])).rules)
    expect([filter('/other2' as Path), filter('/docs' as Path)]).toEqual([false, true])
  })
  test('a later rule opens them as before', async () =>
    expect(await permits([rule(false, '/docs'), rule(true, '/docs2')])).toEqual([
      '/docs2',
      '/docs2/a',
      '/other',
    ]))
  test('a rule of a later version is kept as it is', async () => {
    expect(await permits([rule(false, '/docs')], later)).toEqual([
      '/docs2',
      '/docs2/a',
      '/docs.txt',
      '/other',
    ])
    expect((await rulesPlanOf([rule(false, '/docs')], later)).changed).toEqual([])
  })
  test('a rule that allows a path no longer allows others', async () => {
    expect(await permits([rule(false, '/'), rule(true, '/docs')])).toEqual(['/docs', '/docs/a'])
  })
  test.each(['docs', '/docs/../other', '//docs', './docs'])(
    'a rule that allows %s matched nothing',
    async (at) => {
      expect(await permits([rule(false, '/'), rule(true, at)])).toEqual([])
      expect((await rulesPlanOf([rule(true, at)])).left).toHaveLength(1)
    },
  )
  test.each([{ raw: '(' }, null])('an expression that cannot be read denies everything', async (regexp) => {
    expect(await permits([{ regex: true, allow: false, path: '', regexp }, rule(true, '/other')])).toEqual([])
  })
})

const fieldsOf = (id: number, fields: object = {}) => ({
  id,
  username: `user${id}`,
  password: `$2a$10$${'a'.repeat(53)}`,
  scope: '.',
  perm: { share: true, download: true },
  ...fields,
})

const stateOf = (
  users: readonly ReturnType<typeof fieldsOf>[],
  { settings = {}, shares = [] }: { settings?: object; shares?: OriginalState['shares'] } = {},
): OriginalState => ({
  config: createRecordReader({ settings, server: {}, auther: {} }, 'config'),
  key: new Uint8Array(64),
  users: users.map((user) => ({ id: user.id, record: createRecordReader(user, 'user') })),
  lastUserId: users.length,
  shares,
  traits: earlier,
})

const shareOf = (at: string, fields: Partial<OriginalState['shares'][number]> = {}) => ({
  hash: at,
  userId: 1,
  path: at,
  expiresAtSeconds: 0,
  passwordHash: '',
  token: '',
  ...fields,
})

/** Creates a served folder with links that stay inside a scope, leave it, and leave the folder. */
const createFolder = (followExternalSymlinks = false) => {
  const [root, outside] = [temporaryFolder(), temporaryFolder()]
  mkdirSync(path.join(root, 'media'))
  mkdirSync(path.join(root, 'ann/docs'), { recursive: true })
  writeFileSync(path.join(root, 'ann/docs/a.txt'), '')
  writeFileSync(path.join(root, 'media/secret.txt'), '')
  writeFileSync(path.join(outside, 'far.txt'), '')
  symlinkSync(path.join(root, 'ann/docs'), path.join(root, 'ann/inner'))
  symlinkSync(path.join(root, 'media'), path.join(root, 'ann/escape'))
  symlinkSync(outside, path.join(root, 'ann/far'))
  return createServedFolder(root, { followExternalSymlinks })
}

const planOf = (state: OriginalState, follow = false) =>
  planTakeover(state, { folder: createFolder(follow), atMs: 1_000_000 })

describe('the plan', () => {
  test('names odd users, and lets none of them in where they were not', async () => {
    const { users, report } = await planOf(
      stateOf([
        fieldsOf(1, { perm: { admin: true } }),
        fieldsOf(2, { scope: '/media' }),
        fieldsOf(3, { password: 'plain text' }),
        fieldsOf(4, { password: `$2a$04$${'a'.repeat(53)}` }),
        fieldsOf(5, { commands: ['git', 'df.*'] }),
        fieldsOf(6, { username: 'a\u0000b' }),
        fieldsOf(7, { locale: '../../etc' }),
      ]),
    )
    expect(users.map(({ id, isDisabled }) => (isDisabled ? -id : id))).toEqual([1, -2, 3, 4, 5, 7])
    expect(users.find(({ id }) => id === 3)?.passwordHash).toBe('*')
    expect(users.find(({ id }) => id === 7)?.locale).toBe('')
    const lines = report.changed.map(sentenceOf).join('\n')
    for (const part of [
      'User user2: The account is disabled',
      'User user3: The password is not a hash',
      'User user4: The password has a weak hash',
      'User user5: The commands df.* were patterns.',
    ])
      expect(lines).toContain(part)
    expect(report.left).toEqual([
      {
        text: 'The user is left out, because the user name contains control characters.',
        message: { code: 'user-name', values: { reason: 'the user name contains control characters' } },
        user: { id: 6, name: 'a\u0000b' },
      },
    ])
    expect(
      report.changed.filter(({ isDisabledAccount }) => isDisabledAccount).map(({ user }) => user),
    ).toEqual([{ id: 2, name: 'user2' }])
  })

  test('disables an account whose folder contained the root when rules deny something, because they match other files now', async () => {
    const denies = { regex: false, allow: false, path: '/srv/private', regexp: null }
    const above = { scope: '/', perm: {} }
    const disabledOf = async (own: readonly object[], forEverybody: readonly object[]) => {
      const users = [
        fieldsOf(1, { ...above, rules: own }),
        fieldsOf(2, { ...above, rules: own, perm: { admin: true } }),
        fieldsOf(3, { rules: own }),
      ]
      const plan = await planOf(stateOf(users, { settings: { rules: forEverybody } }))
      return plan.users.flatMap(({ id, isDisabled }) => (isDisabled ? [id] : []))
    }
    expect(await disabledOf([], [])).toEqual([])
    expect(await disabledOf([{ ...denies, allow: true }], [])).toEqual([])
    expect(await disabledOf([denies], [])).toEqual([1])
    expect(await disabledOf([], [denies])).toEqual([1])
  })

  test.each([
    ['/etc', false],
    ['/srv-old', false],
    ['/media', false],
    ['/srv', true],
    ['/sr', true],
    ['/', true],
    ['/srv/private', true],
    ['/data/media', true],
  ])(
    'of a user who saw the whole machine, of which /srv was served, with a rule for %s: disabled is %s',
    async (at, isDisabled) => {
      const rules = [{ regex: false, allow: false, path: at, regexp: null }]
      const folder = { ...createFolder(), formerRoot: '/srv' }
      const plan = (users: object, settings: object) =>
        planTakeover(stateOf([fieldsOf(1, { scope: '/', perm: {}, ...users })], { settings }), {
          folder,
          atMs: 1_000_000,
        })
      const plans = [await plan({ rules }, {}), await plan({}, { rules })]
      expect(plans.map(({ users }) => users[0]?.isDisabled)).toEqual([isDisabled, isDisabled])
    },
  )

  test('keeps a share of an owner who had another folder only when it is still the same entry', async () => {
    const folder = createFolder()
    const shares = ['/media/secret.txt', `${folder.root}/media/secret.txt`, folder.root].map((at) =>
      shareOf(at),
    )
    const state = (scope: string) => stateOf([fieldsOf(1, { scope, perm: { admin: true } })], { shares })
    const keptOf = async (scope: string) =>
      (await planTakeover(state(scope), { folder, atMs: 1_000_000 })).shares.flatMap(({ path: at, kind }) =>
        kind === 'awaited' ? [] : [at],
      )
    expect(await keptOf('/')).toEqual(['/media/secret.txt', '/'])
    expect(await keptOf('.')).toEqual(['/media/secret.txt'])
    expect(await keptOf('/media')).toEqual([])
  })

  test('turns signup off when new users would see a folder that was never theirs', async () => {
    const settings = { signup: true, defaults: { scope: '/media' } }
    const plan = await planOf(stateOf([fieldsOf(1)], { settings }))
    expect(plan.settings.signup).toBe(false)
    expect(plan.report.changed.map(sentenceOf).join('\n')).toContain(
      'For new users: The scope /media was a folder of the machine',
    )
    const relative = { ...settings, defaults: { scope: 'media' } }
    expect((await planOf(stateOf([fieldsOf(1)], { settings: relative }))).settings.signup).toBe(true)
  })

  test('leaves out a user whose name another has in other letters', async () => {
    const { users, report } = await planOf(
      stateOf([fieldsOf(1, { username: 'Ann' }), fieldsOf(2, { username: 'ann' })]),
    )
    expect(users.map(({ id }) => id)).toEqual([1])
    expect(report.left.map(sentenceOf)[0]).toContain(
      'User ann: The user is left out, because the user 1 has this name',
    )
  })

  test('says when there is no administrator, and when the key is damaged', async () => {
    const { report } = await planOf({ ...stateOf([fieldsOf(1)]), key: null })
    expect(report.changed.map(sentenceOf).join('\n')).toContain('There is no administrator')
    expect(report.left[0]?.text).toContain('The signing key')
  })

  test('lets a rule of everybody that cannot be read deny everything, whatever users’ own rules allow', async () => {
    const broken = { regex: true, allow: false, path: '', regexp: { raw: '(' } }
    const own = { regex: false, allow: true, path: '/docs', regexp: null }
    const { users, settings } = await planOf(
      stateOf([fieldsOf(1, { rules: [own] })], { settings: { rules: [broken] } }),
    )
    const filter = await compileRules([...settings.rules, ...(users[0]?.rules ?? [])])
    expect(filter('/docs' as Path)).toBe(false)
  })

  test('keeps shares of existing entries inside the scope, by their real paths, and others wait', async () => {
    const shares = [
      '/docs/a.txt',
      '/docs/',
      'inner/a.txt',
      '/escape/secret.txt',
      '/far/far.txt',
      '/../media/secret.txt',
      '/none',
      '/',
    ].map((at) => shareOf(at))
    const { shares: kept, report } = await planOf(stateOf([fieldsOf(1, { scope: 'ann' })], { shares }))
    expect(kept.map(({ hash, path: at, kind }) => [hash, at, kind])).toEqual([
      ['/docs/a.txt', '/ann/docs/a.txt', 'file'],
      ['/docs/', '/ann/docs', 'folder'],
      ['inner/a.txt', '/ann/docs/a.txt', 'file'],
      ['/../media/secret.txt', '/ann/media/secret.txt', 'awaited'],
      ['/none', '/ann/none', 'awaited'],
      ['/', '/ann', 'folder'],
    ])
    expect(report.left).toHaveLength(2)
    expect(report.left[0]?.text).toContain('behind a link that leaves the folder of its owner')
  })

  test('keeps shares behind links where such links are followed', async () => {
    const state = stateOf([fieldsOf(1, { scope: 'ann' })], { shares: [shareOf('/far/far.txt')] })
    const { shares } = await planOf(state, true)
    expect(shares.map(({ path: at }) => at)).toEqual([pathOf('/ann/far/far.txt')])
  })

  test('never opens a protected share without its password', async () => {
    const shares = [
      shareOf('/docs', { passwordHash: 'plain text', token: 'abc' }),
      shareOf('/docs/a.txt', { passwordHash: `$2a$10$${'a'.repeat(53)}`, token: 'abc' }),
    ]
    const { shares: kept, report } = await planOf(stateOf([fieldsOf(1, { scope: 'ann' })], { shares }))
    expect(kept.map(({ tokenDigest }) => tokenDigest)).toEqual([
      'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0',
    ])
    expect(report.left[0]?.text).toContain('its password is not a hash')
    const damaged = [shareOf('/docs', { token: 'abc' })]
    const { shares: none } = await planOf(stateOf([fieldsOf(1, { scope: 'ann' })], { shares: damaged }))
    expect(none).toEqual([])
  })
})
