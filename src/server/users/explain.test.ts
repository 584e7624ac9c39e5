import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { AccessExplanation, RuleCheck } from '../../shared/contract/users.ts'
import { noPermissions, type AccessRule } from '../../shared/domain/access.ts'
import type { User } from '../records/user-store.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const deny = (at: string): AccessRule => ({ regex: false, allow: false, path: at, regexp: null })
const allow = (at: string): AccessRule => ({ ...deny(at), allow: true })
const denyRegex = (raw: string): AccessRule => ({ regex: true, allow: false, path: '', regexp: { raw } })

const files = {
  team: { docs: { 'a.txt': 'a', '.hidden': 'h' }, secret: { 'key.pem': 'k' }, keys: { 'x.pem': 'x' } },
}

const startTeam = () =>
  startApp({
    files,
    user: { perm: { admin: true } },
    settings: { rules: [deny('/secret')] },
    users: {
      bea: {
        scope: '/team',
        hideDotfiles: true,
        perm: { delete: false },
        rules: [allow('/secret/open'), denyRegex('[.]pem$')],
      },
    },
  })

async function explain(app: TestApp, name: string, json: object): Promise<AccessExplanation> {
  const user = (await app.records.users.list()).find(({ username }) => username === name)
  const response = await app.call('users.explain', { id: user?.id ?? 0, json })
  expect(response.status).toBe(200)
  return (await response.json()) as AccessExplanation
}

test.each<[object, boolean, string, number | null]>([
  [{ operation: 'view', path: '/docs/a.txt' }, true, 'no-rule', null],
  [{ operation: 'view', path: '/secret' }, false, 'global-rule', 0],
  [{ operation: 'create', path: '/secret/open/new' }, true, 'user-rule', 0],
  [{ operation: 'download', path: '/secret/key.pem' }, false, 'user-rule', 1],
  [{ operation: 'save', path: '/docs/.hidden' }, false, 'dotfiles', null],
  [{ operation: 'move', path: '/docs/a.txt', to: '/docs/a.pem' }, false, 'user-rule', 1],
])('%j is explained', async (asked, isAllowed, decidedBy, position) => {
  const app = await startTeam()
  const explanation = await explain(app, 'bea', asked)
  expect(explanation.isAllowed).toBe(isAllowed)
  const last = explanation.decisions.filter((one) => isAllowed || !one.isAllowed).at(-1)
  expect(last).toMatchObject({ isAllowed, decidedBy, position })
})

test('the explanation agrees with what a request of the user gets', async () => {
  const app = await startTeam()
  const bea = await app.signIn('bea')
  for (const at of ['/docs/a.txt', '/docs/.hidden', '/secret', '/secret/key.pem', '/nothing']) {
    const { isAllowed } = await explain(app, 'bea', { operation: 'view', path: at })
    const response = await bea.call('resources.get', { path: at })
    expect([at, isAllowed]).toEqual([at, response.status !== 403])
  }
})

test('a missing permission, an entry below a folder, a link and a missing scope are named', async () => {
  const app = await startTeam()
  const removal = await explain(app, 'bea', { operation: 'delete', path: '/docs' })
  expect(removal).toMatchObject({ isAllowed: false, permissions: [{ name: 'delete', isGranted: false }] })
  await symlink('../secret', path.join(app.disk, 'team/docs/link'))
  const link = await explain(app, 'bea', { operation: 'view', path: '/docs/link' })
  expect(link.decisions.at(-1)).toMatchObject({ path: '/secret', isAllowed: false, decidedBy: 'global-rule' })
  const copy = await explain(app, 'bea', { operation: 'copy', path: '/keys', to: '/copy' })
  expect(copy.isAllowed).toBe(false)
  const denied = copy.decisions.filter((one) => !one.isAllowed)
  expect(denied.map(({ path: at, position }) => [at.split('/').at(-1), position])).toContainEqual([
    'x.pem',
    1,
  ])
  await app.records.users.update(app.user.id, { scope: '/gone' })
  expect(await explain(app, 'ann', { operation: 'view', path: '/' })).toMatchObject({
    isAllowed: false,
    hasScope: false,
  })
})

test.each<[string, Partial<User>, object, object]>([
  ['a program of the list', {}, {}, { isAllowed: true, command: { program: 'ls', isListed: true } }],
  ['another program', {}, { command: 'rm -r .' }, { isAllowed: false, command: { isListed: false } }],
  ['an account without the permission', { perm: noPermissions }, {}, { isAllowed: false }],
  ['a rule that denies', { rules: [deny('/x')] }, {}, { isAllowed: false, command: { hasDenials: true } }],
  ['a file in place of the folder', {}, { path: '/docs/a.txt' }, { failure: 'not-a-folder' }],
])('a command of a user is explained: %s', async (_case, fields, asked, expected) => {
  const config = { disableExec: false, unsafeExec: true }
  const app = await startApp({ files, config, user: { perm: { admin: true } }, users: { bea: {} } })
  const bea = (await app.records.users.list()).find(({ username }) => username === 'bea')!
  const perm = { ...noPermissions, execute: true }
  await app.records.users.update(bea.id, { scope: '/team', commands: ['ls'], perm, ...fields })
  const question = { operation: 'execute', path: '/docs', command: 'ls -l', ...asked }
  expect(await explain(app, 'bea', question)).toMatchObject(expected)
})

test('where the server runs no commands, the explanation says so, and a command is required', async () => {
  const app = await startTeam()
  const question = { operation: 'execute', path: '/docs', command: 'ls' }
  expect(await explain(app, 'bea', question)).toMatchObject({ isAllowed: false, command: { isOn: false } })
  const empty = { json: { ...question, command: ' ' } }
  expect((await app.call('users.explain', { id: app.user.id, ...empty })).status).toBe(400)
})

test('rules are tried without being stored, on a path and on the entries of its folder', async () => {
  const app = await startTeam()
  const rules = [
    denyRegex('('),
    deny('/docs'),
    denyRegex('a{1000}{1000}'),
    allow('/docs/a.txt'),
    deny(`/${'x'.repeat(2000)}`),
  ]
  const check = async (json: object) => (await (await app.call('rules.check', { json })).json()) as RuleCheck
  expect(await check({ rules, path: '/docs', scope: '/team' })).toEqual({
    faults: [
      { rule: 0, kind: 'invalid' },
      { rule: 2, kind: 'too-large' },
      { rule: 4, kind: 'too-long' },
    ],
    isAllowed: false,
    rule: 1,
    isFound: true,
    isFolder: true,
    entries: [
      { name: '.hidden', isFolder: false, isAllowed: false, rule: 1 },
      { name: 'a.txt', isFolder: false, isAllowed: true, rule: 3 },
    ],
    unmatched: [],
    people: [],
    otherPeople: 0,
  })
  expect(await check({ rules: [], path: '/nothing/here' })).toMatchObject({
    isFound: false,
    isFolder: false,
    isAllowed: true,
    entries: [],
  })
  expect((await app.records.settings.get()).rules).toEqual([deny('/secret')])
  expect((await app.call('rules.check', { json: { rules: [], path: '/a/../..' } })).status).toBe(400)
})

test('expressions beyond the size of two stored lists are too large to be tried', async () => {
  const app = await startTeam()
  // Each expression has 1002 steps, and two lists may have 200,000.
  const rules = Array.from({ length: 201 }, (_, index) => denyRegex(`a{1000}${index % 10}`))
  const response = await app.call('rules.check', { json: { rules, path: '/' } })
  const { faults } = (await response.json()) as RuleCheck
  expect(faults.map(({ kind }) => kind)).toEqual(faults.map(() => 'too-large'))
  expect(faults.map(({ rule }) => rule)).toEqual([199, 200])
})

test('an explanation keeps at most 50 denying decisions', async () => {
  const names = Array.from({ length: 80 }, (_, index) => `${index}.pem`)
  const many = { many: Object.fromEntries(names.map((name) => [name, 'x'])) }
  const app = await startApp({
    files: many,
    user: { perm: { admin: true } },
    users: { bea: { hideDotfiles: true, rules: [denyRegex('[.]pem$')] } },
  })
  const { decisions, isAllowed } = await explain(app, 'bea', { operation: 'delete', path: '/many' })
  expect(isAllowed).toBe(false)
  expect(decisions.filter((decision) => !decision.isAllowed).length).toBe(50)
})
