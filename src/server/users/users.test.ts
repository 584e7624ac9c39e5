import { expect, test } from 'vitest'
import type { UserResource } from '../../shared/contract/users.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const own = async (app: TestApp) =>
  (await (await app.call('users.get', { id: app.user.id })).json()) as UserResource

type ChangedFields = readonly string[] | null | undefined
/** The fields of a user record. `more` has further members of the request, beside the record. */
type UserChange = Readonly<Record<string, unknown>> & { readonly more?: object }

/** Changes the record of the signed-in user. */
const change = (app: TestApp, which: ChangedFields, { more = {}, ...data }: UserChange) =>
  app.call('users.update', {
    id: app.user.id,
    json: { what: 'user', which, data: { id: app.user.id, ...data }, ...more },
  })

test('a record never carries a password, and the scope only for administrators', async () => {
  const ann = await startApp({ user: { scope: '/' } })
  expect(await own(ann)).toMatchObject({ id: ann.user.id, username: 'ann', password: '', scope: '' })
  const ada = await startApp({ user: { scope: '/', perm: { admin: true } } })
  expect(await own(ada)).toMatchObject({ password: '', scope: '/' })
})

test.each<readonly [string, unknown]>([
  ['viewMode', 'mosaic gallery'],
  ['sorting', { by: 'size', asc: true }],
  ['locale', 'pt-br'],
  ['locale', ''],
  ['singleClick', true],
  ['hideDotfiles', true],
  ['HideDotfiles', true],
  ['dateFormat', true],
  ['redirectAfterCopyMove', true],
  ['aceEditorTheme', 'twilight'],
])('users may change their own %s to %j', async (name, value) => {
  const app = await startApp({})
  const field = name.slice(0, 1).toLowerCase() + name.slice(1)
  const reply = await change(app, [name], { [field]: value })
  expect([reply.status, await reply.text()]).toEqual([200, '200 OK\n'])
  expect(await own(app)).toMatchObject({ [field]: value })
})

test.each<readonly [string, ChangedFields, UserChange, number]>([
  ['a field that does not exist', ['colour'], { colour: 'red' }, 400],
  ['a field name in capital letters', ['LOCALE'], { locale: 'de' }, 400],
  ['a valid field and an unknown field', ['locale', 'nope'], { locale: 'de' }, 400],
  [
    'a permitted field and a forbidden field',
    ['locale', 'perm'],
    { locale: 'de', perm: { admin: true } },
    403,
  ],
  ['a valid value and an invalid value', ['locale', 'viewMode'], { locale: 'de', viewMode: 'wall' }, 400],
  ['a text as the value of a switch', ['singleClick'], { singleClick: 'true' }, 400],
  ['an unknown sort key', ['sorting'], { sorting: { by: 'colour', asc: true } }, 400],
  ['a locale that is no language tag', ['locale'], { locale: 'no way!' }, 400],
  ['a locale that is too long', ['locale'], { locale: 'de-x-aaaaaaa-bbbbbbb' }, 400],
  ['the whole record, by the name all', ['all'], { username: 'ann' }, 403],
  ['the whole record, by an empty list', [], { username: 'ann' }, 403],
  ['the whole record, without a list', undefined, { username: 'ann' }, 403],
  ['the whole record, by null', null, { username: 'ann' }, 403],
  ['a new name for oneself', ['username'], { username: 'root' }, 403],
  ['a new quota for oneself', ['quotaBytes'], { quotaBytes: null }, 403],
  ['a new scope for oneself', ['scope'], { scope: '/' }, 403],
  ['new rules for oneself', ['Rules'], { rules: [] }, 403],
  ['new commands for oneself', ['commands'], { commands: ['sh'] }, 403],
  ['disabling the own account', ['isDisabled'], { isDisabled: true }, 403],
  ['unlocking the own password', ['lockPassword'], { lockPassword: false }, 403],
  ['a password hash', ['passwordHash'], { passwordHash: 'x' }, 400],
  ['the prototype as a field', ['__proto__'], {}, 400],
  ['an empty password', ['password'], { password: '' }, 400],
  ['a short password', ['password'], { password: 'elevenchars' }, 400],
  ['a common password', ['password'], { password: 'password1234' }, 400],
  ['a password that is a number', ['password'], { password: 123456789012 }, 400],
  ['the record of another id', ['locale'], { id: 999, locale: 'de' }, 400],
])('%s is refused, and nothing changes', async (...[_case, which, data, status]) => {
  const app = await startApp({ user: { locale: 'en' } })
  const before = await own(app)
  expect((await change(app, which, data)).status).toBe(status)
  expect(await own(app)).toEqual(before)
})

test('only administrators see or change other users', async () => {
  const app = await startApp({ users: { ada: { perm: { admin: true } } } })
  const ada = await app.signIn('ada')
  const json = { what: 'user', which: ['locale'], data: { id: ada.user.id, locale: 'de' } }
  expect((await app.call('users.get', { id: ada.user.id })).status).toBe(403)
  expect((await app.call('users.update', { id: ada.user.id, json })).status).toBe(403)
  expect((await app.call('users.get', { id: 999 })).status).toBe(403)
  expect((await ada.call('users.get', { id: app.user.id })).status).toBe(200)
  expect((await ada.call('users.get', { id: 999 })).status).toBe(404)
})

test('a new password ends the other sessions and keeps this one', async () => {
  const app = await startApp({})
  const other = await app.signIn('ann')
  expect((await change(app, ['password'], { password: 'a new long password' })).status).toBe(200)
  expect((await app.call('users.get', { id: app.user.id })).status).toBe(200)
  expect((await other.call('users.get', { id: app.user.id })).status).toBe(401)
})

test('a locked password cannot be changed', async () => {
  const app = await startApp({ user: { lockPassword: true } })
  expect((await change(app, ['password'], { password: 'a new long password' })).status).toBe(403)
})

test('a wrong current password changes nothing; the right one and an absent one are accepted', async () => {
  const app = await startApp({})
  const wrong = await change(app, ['locale'], { locale: 'de', more: { current_password: 'wrong' } })
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    '400 Bad Request (the current password is incorrect)\n',
  ])
  expect((await own(app)).locale).not.toBe('de')
  expect(
    (await change(app, ['locale'], { locale: 'fr', more: { current_password: app.password } })).status,
  ).toBe(200)
  expect((await own(app)).locale).toBe('fr')
})

test('an administrator may change every field, and storing an administrator stores all permissions', async () => {
  const app = await startApp({ users: { ada: { perm: { admin: true } } } })
  const ada = await app.signIn('ada')
  const perm = { admin: true, create: false, download: false }
  const data = {
    id: app.user.id,
    username: 'anna',
    scope: 'x',
    viewMode: 'mosaic',
    perm,
    rules: [{ path: 'docs' }],
  }
  expect(
    (await ada.call('users.update', { id: app.user.id, json: { what: 'user', which: ['all'], data } }))
      .status,
  ).toBe(200)
  const anna = (await (await ada.call('users.get', { id: app.user.id })).json()) as UserResource
  expect(anna).toMatchObject({ username: 'anna', scope: 'x', viewMode: 'mosaic', locale: '', commands: [] })
  expect(anna.perm).toMatchObject({ admin: true, create: true, download: true })
  expect(anna.rules).toEqual([{ regex: false, allow: false, path: '/docs', regexp: null }])
  expect((await app.call('users.get', { id: app.user.id })).status).toBe(200)
})

test.each<readonly [string, string[], object, number]>([
  ['a rule that does not compile', ['rules'], { rules: [{ regex: true, regexp: { raw: '(' } }] }, 400],
  ['sharing without downloading', ['perm'], { perm: { share: true } }, 400],
  ['a name that is taken', ['username'], { username: 'ADA' }, 409],
  ['a blank name', ['username'], { username: ' ' }, 400],
])('an administrator cannot store %s', async (...[_case, which, data, status]) => {
  const app = await startApp({ users: { ada: { perm: { admin: true } } } })
  const ada = await app.signIn('ada')
  const json = { what: 'user', which, data: { id: app.user.id, ...data } }
  expect((await ada.call('users.update', { id: app.user.id, json })).status).toBe(status)
})

test('the last administrator cannot be demoted', async () => {
  const ada = await startApp({ user: { perm: { admin: true } } })
  expect((await change(ada, ['perm'], { perm: { admin: false } })).status).toBe(403)
})

const askedBy = async (admin: Pick<TestApp, 'call'>, id: number, json: object) =>
  (await admin.call('users.update', { id, json: { what: 'user', ...json } })).status

test('only administrators change a quota, and the user sees it', async () => {
  const app = await startApp({ users: { ada: { perm: { admin: true } } } })
  const [ada, { id }] = [await app.signIn('ada'), app.user]
  expect((await own(app)).quotaBytes).toBe(null)
  const set = (quotaBytes: unknown) => askedBy(ada, id, { which: ['quotaBytes'], data: { id, quotaBytes } })
  expect(await set(5_000_000_000)).toBe(200)
  expect((await own(app)).quotaBytes).toBe(5_000_000_000)
  for (const wrong of [-1, 1.5, '5', 2 ** 53, true, []]) expect(await set(wrong)).toBe(400)
  expect((await own(app)).quotaBytes).toBe(5_000_000_000)
  expect(await set(0)).toBe(200)
  expect((await own(app)).quotaBytes).toBe(0)
  expect(await set(null)).toBe(200)
  expect((await own(app)).quotaBytes).toBe(null)
})

test('a whole record without a quota leaves the quota unchanged', async () => {
  const app = await startApp({ user: { quotaBytes: 7 }, users: { ada: { perm: { admin: true } } } })
  const [ada, { id }] = [await app.signIn('ada'), app.user]
  const { quotaBytes: _unknown, ...record } = await own(app)
  for (const which of [['all'], [], undefined, null])
    expect(await askedBy(ada, id, { which, data: { ...record, locale: 'fr' } })).toBe(200)
  expect(await own(app)).toMatchObject({ locale: 'fr', quotaBytes: 7 })
  expect(await askedBy(ada, id, { which: ['all'], data: { ...record, quotaBytes: null } })).toBe(200)
  expect((await own(app)).quotaBytes).toBe(null)
})

test('the folder of a new user is created when the administrator wants it, whatever the settings say', async () => {
  const app = await startApp({ user: { perm: { admin: true } } })
  const create = (username: string, members: object) =>
    app.call('users.create', {
      json: {
        what: 'user',
        which: [],
        data: { username, password: `${username} has a long password`, scope: `/users/${username}` },
        ...members,
      },
    })
  const hasFolder = async (name: string) =>
    (await app.call('resources.get', { path: `/users/${name}` })).status === 200
  expect((await create('cy', {})).status).toBe(201)
  expect((await create('dan', { create_home: true })).status).toBe(201)
  expect([await hasFolder('cy'), await hasFolder('dan')]).toEqual([false, true])
})
