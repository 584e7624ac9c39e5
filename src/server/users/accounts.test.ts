import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { UserResource } from '../../shared/contract/users.ts'
import {
  startApp,
  treeOf,
  type TestApp,
  type TestAppOptions,
  type SignedInUser,
} from '../../../test/kit/start-app.ts'

const admin = { perm: { admin: true } }
const password = 'a horse of another colour'

const withAda = async (wish: TestAppOptions = {}) => {
  const app = await startApp({ ...wish, users: { ada: admin, ...wish.users } })
  return { app, ada: await app.signIn('ada') }
}

const create = (person: SignedInUser, data: object | undefined, more: object = {}) =>
  person.call('users.create', { json: { what: 'user', which: [], data, ...more } })

const list = async (person: SignedInUser) =>
  (await (await person.call('users.list')).json()) as readonly UserResource[]

const named = async (person: SignedInUser, name: string) =>
  (await list(person)).find(({ username }) => username === name)

const login = (app: TestApp, username: string, secret = password) =>
  app.fetch('/api/login', {
    method: 'POST',
    token: null,
    body: JSON.stringify({ username, password: secret }),
  })

test('administrators list all users by id, without passwords; other users list none', async () => {
  const { app, ada } = await withAda({ users: { bea: { scope: 'bea' } } })
  expect(
    (await list(ada)).map(({ id, username, scope, password }) => [id, username, scope, password]),
  ).toEqual([
    [1, 'ann', '.', ''],
    [2, 'ada', '.', ''],
    [3, 'bea', 'bea', ''],
  ])
  expect((await app.call('users.list')).status).toBe(403)
})

test('a new user is answered with the address of its screen, and can log in', async () => {
  const { app, ada } = await withAda()
  const reply = await create(ada, { username: 'eve', password, scope: 'x', perm: { create: true } })
  expect([reply.status, await reply.text(), reply.headers.get('location')]).toEqual([
    201,
    '201 Created\n',
    '/settings/users/3',
  ])
  expect(await named(ada, 'eve')).toMatchObject({ id: 3, scope: 'x', password: '', perm: { delete: false } })
  expect((await login(app, 'eve')).status).toBe(200)
})

test('A20: a field that is left out has the default for new users', async () => {
  const { ada } = await withAda()
  await create(ada, { username: 'eve', password, singleClick: true })
  expect(await named(ada, 'eve')).toMatchObject({
    viewMode: 'mosaic',
    locale: 'en',
    singleClick: true,
    redirectAfterCopyMove: false,
    perm: { admin: false, download: true },
    rules: [],
  })
})

test('A21: storing an administrator stores all permissions, except execution while it is off', async () => {
  const { ada } = await withAda()
  await create(ada, { username: 'eve', password, perm: { admin: true } })
  expect((await named(ada, 'eve'))?.perm).toMatchObject({ admin: true, share: true, execute: false })
})

test.each<readonly [string, object | undefined, object, number]>([
  ['without data', undefined, {}, 400],
  ['with another kind of record', { username: 'eve', password }, { what: 'share' }, 400],
  ['with a list of fields', { username: 'eve', password }, { which: ['username'] }, 400],
  ['without a name', { password }, {}, 400],
  ['without a password', { username: 'eve' }, {}, 400],
  ['with an empty password', { username: 'eve', password: '' }, {}, 400],
  ['with a short password', { username: 'eve', password: 'short' }, {}, 400],
  ['with a common password', { username: 'eve', password: 'password1234' }, {}, 400],
  ['with a taken name', { username: 'ann', password }, {}, 409],
  ['with a name that differs only in case', { username: 'Ann', password }, {}, 409],
  ['with a control character in the name', { username: 'e\nve', password }, {}, 400],
  ['with a text as the value of a switch', { username: 'eve', password, dateFormat: 'yes' }, {}, 400],
  [
    'with valid data and a wrong current password',
    { username: 'eve', password },
    { current_password: 'no' },
    400,
  ],
])('T23: a user %s is not created', async (...[_case, data, more, status]) => {
  const { app, ada } = await withAda({ settings: { createUserDir: true }, files: { users: {} } })
  expect((await create(ada, data, more)).status).toBe(status)
  expect((await list(ada)).map(({ username }) => username)).toEqual(['ann', 'ada'])
  expect(await treeOf(app.disk)).toEqual({ users: {} })
})

test('null counts as an absent field', async () => {
  const { ada } = await withAda()
  const data = { username: 'eve', password, sorting: { by: null, asc: null }, viewMode: null, rules: null }
  expect((await create(ada, data, { current_password: null })).status).toBe(201)
  const made = await named(ada, 'eve')
  expect(made).toMatchObject({ sorting: { by: 'name', asc: false }, rules: [] })
  const id = made?.id ?? 0
  const json = {
    what: 'user',
    which: null,
    data: { ...made, password: null, locale: null, sorting: { by: null } },
    current_password: null,
  }
  expect((await ada.call('users.update', { id, json })).status).toBe(200)
  expect(await named(ada, 'eve')).toEqual({ ...made, locale: '' })
})

test('an id in the data overwrites no user', async () => {
  const { ada } = await withAda()
  expect((await create(ada, { id: 1, username: 'eve', password })).status).toBe(201)
  expect((await list(ada)).map(({ username }) => username)).toEqual(['ann', 'ada', 'eve'])
})

test('only administrators create users', async () => {
  const { app } = await withAda()
  expect((await create(app, { username: 'eve', password })).status).toBe(403)
})

test.each<readonly [string, object, string, object]>([
  ['without a scope, the folder has the name of the user', {}, '/users/al-ice', { users: { 'al-ice': {} } }],
  ['an empty scope counts as no scope', { scope: ' ' }, '/users/al-ice', { users: { 'al-ice': {} } }],
  ['a given scope is used', { scope: 'a/b' }, 'a/b', { a: { b: {} } }],
])('10.6: a home folder is created for a new user: %s', async (_case, data, scope, files) => {
  const { app, ada } = await withAda({ settings: { createUserDir: true } })
  expect((await create(ada, { username: 'al ice', password, ...data })).status).toBe(201)
  expect((await named(ada, 'al ice'))?.scope).toBe(scope)
  expect(await treeOf(app.disk)).toEqual(files)
})

test('10.6: without home folders, nothing is created and an empty scope is the root', async () => {
  const { app, ada } = await withAda()
  expect((await create(ada, { username: 'eve', password, scope: '' })).status).toBe(201)
  expect([(await named(ada, 'eve'))?.scope, await treeOf(app.disk)]).toEqual(['', {}])
})

test('10.6: an existing folder is used when an administrator names it', async () => {
  const files = { users: { eve: { 'a.txt': 'A' } } }
  const { app, ada } = await withAda({ settings: { createUserDir: true }, files })
  expect((await create(ada, { username: 'eve', password })).status).toBe(201)
  expect(await treeOf(app.disk)).toEqual(files)
})

test('removing a user ends the sessions and keeps the files', async () => {
  const files = { bea: { 'a.txt': 'A' } }
  const { app, ada } = await withAda({ files, users: { bea: { scope: 'bea' } } })
  const bea = await app.signIn('bea')
  const reply = await ada.call('users.remove', { id: bea.user.id })
  expect([reply.status, await reply.text()]).toEqual([200, '200 OK\n'])
  expect((await bea.call('resources.get')).status).toBe(401)
  expect((await ada.call('users.get', { id: bea.user.id })).status).toBe(404)
  expect(await treeOf(app.disk)).toEqual(files)
})

test('users may remove their own account, and no other', async () => {
  const { app, ada } = await withAda()
  expect((await app.call('users.remove', { id: ada.user.id })).status).toBe(403)
  expect((await app.call('users.remove', { id: app.user.id })).status).toBe(200)
  expect((await app.call('resources.get')).status).toBe(401)
})

test.each<readonly [string, string, number]>([
  ['a wrong current password', '{"current_password":"no"}', 400],
  ['a broken body', '{"current_password":', 400],
  ['a current password that is a number', '{"current_password":1}', 400],
  ['no body', '', 200],
  ['an empty object', '{}', 200],
  ['a current password of null', '{"current_password":null}', 200],
  ['the right current password', '{"current_password":"ada has a long password"}', 200],
])('a removal of a user with %s', async (_case, body, status) => {
  const { app, ada } = await withAda()
  expect((await ada.call('users.remove', { id: app.user.id, body })).status).toBe(status)
  expect((await list(ada)).length).toBe(status === 200 ? 1 : 2)
})

test('A29: the last administrator can be neither removed nor demoted, and keeps the session', async () => {
  const { app, ada } = await withAda({ users: { zoe: admin } })
  const zoe = await app.signIn('zoe')
  expect((await zoe.call('users.remove', { id: ada.user.id })).status).toBe(200)
  expect((await zoe.call('users.remove', { id: zoe.user.id })).status).toBe(403)
  const data = { id: zoe.user.id, perm: { admin: false } }
  const json = { what: 'user', which: ['perm'], data }
  expect((await zoe.call('users.update', { id: zoe.user.id, json })).status).toBe(403)
  expect((await list(zoe)).map(({ username }) => username)).toEqual(['ann', 'zoe'])
  expect((await zoe.call('users.remove', { id: 999 })).status).toBe(404)
})

test('an administrator disables an account, which ends its sessions, and enables it again', async () => {
  const { app, ada } = await withAda({ users: { bea: {} } })
  const bea = await app.signIn('bea')
  expect((await bea.call('sessions.list')).status).toBe(200)
  const disable = (isDisabled: unknown) =>
    ada.call('users.update', {
      id: bea.user.id,
      json: { what: 'user', which: ['isDisabled'], data: { id: bea.user.id, isDisabled } },
    })
  expect((await disable('yes')).status).toBe(400)
  expect((await disable(true)).status).toBe(200)
  expect([(await disable(undefined)).status, (await disable(null)).status]).toEqual([400, 400])
  expect(await named(ada, 'bea')).toMatchObject({ isDisabled: true, scope: '.', perm: { share: true } })
  expect((await bea.call('sessions.list')).status).toBe(401)
  expect((await login(app, 'bea', bea.password)).status).toBe(403)
  expect((await disable(false)).status).toBe(200)
  expect(await named(ada, 'bea')).toMatchObject({ isDisabled: false })
  expect((await bea.call('sessions.list')).status).toBe(401)
  expect((await login(app, 'bea', bea.password)).status).toBe(200)
})

test('a whole record without isDisabled, as File Browser sends it, leaves an account disabled', async () => {
  const { ada } = await withAda({ users: { bea: {} } })
  const { isDisabled: _isDisabled, ...bea } = (await named(ada, 'bea'))!
  const change = (which: readonly string[], data: object) =>
    ada.call('users.update', { id: bea.id, json: { what: 'user', which, data: { id: bea.id, ...data } } })
  expect((await change(['isDisabled'], { isDisabled: true })).status).toBe(200)
  expect((await change([], { ...bea, locale: 'fr' })).status).toBe(200)
  expect(await named(ada, 'bea')).toMatchObject({ isDisabled: true, locale: 'fr' })
  expect((await change([], { ...bea, isDisabled: null, locale: 'de' })).status).toBe(200)
  expect(await named(ada, 'bea')).toMatchObject({ isDisabled: true, locale: 'de' })
})

test('the last administrator cannot be disabled, and an account can be created disabled', async () => {
  const { app, ada } = await withAda()
  const data = { id: ada.user.id, isDisabled: true }
  const json = { what: 'user', which: ['isDisabled'], data }
  expect((await ada.call('users.update', { id: ada.user.id, json })).status).toBe(403)
  expect((await ada.call('sessions.list')).status).toBe(200)
  expect((await create(ada, { username: 'eve', password, isDisabled: true })).status).toBe(201)
  expect((await login(app, 'eve')).status).toBe(403)
})

test('T19: a wrong current password is refused when an empty list changes all fields', async () => {
  const { app, ada } = await withAda()
  const json = { what: 'user', which: [], data: { id: 1, username: 'anna' }, current_password: 'no' }
  expect((await ada.call('users.update', { id: 1, json })).status).toBe(400)
  expect((await named(ada, 'ann'))?.id).toBe(app.user.id)
})

test('a home folder is not created through a link out of the served folder', async () => {
  const { app, ada } = await withAda({ settings: { createUserDir: true } })
  await mkdir(path.join(app.state, 'secret'))
  await symlink(path.join(app.state, 'secret'), path.join(app.disk, 'out'))
  expect((await create(ada, { username: 'eve', password, scope: 'out/eve' })).status).toBe(403)
  expect(await treeOf(path.join(app.state, 'secret'))).toEqual({})
})

test('new users have the quota of the settings, unless the request names another', async () => {
  const { app, ada } = await withAda()
  const { defaults } = await app.records.settings.get()
  await app.records.settings.change({ signup: true, defaults: { ...defaults, quotaBytes: 500 } })
  await create(ada, { username: 'eve', password })
  await create(ada, { username: 'fay', password, quotaBytes: 9 })
  const body = JSON.stringify({ username: 'gil', password })
  await app.fetch('/api/signup', { method: 'POST', token: null, body })
  const quotas = (await list(ada)).map(({ username, quotaBytes }) => [username, quotaBytes])
  expect(quotas.slice(2)).toEqual([
    ['eve', 500],
    ['fay', 9],
    ['gil', 500],
  ])
  expect((await create(ada, { username: 'hal', password, quotaBytes: '9' })).status).toBe(400)
})
