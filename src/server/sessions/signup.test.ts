import { expect, test } from 'vitest'
import { captchaServer } from '../../../test/kit/captcha-server.ts'
import { startApp, treeOf, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'

const password = 'a horse of another colour'

const signUp = (app: TestApp, body: unknown) =>
  app.fetch('/api/signup', {
    method: 'POST',
    token: null,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const login = (app: TestApp, body: object) =>
  app.fetch('/api/login', { method: 'POST', token: null, body: JSON.stringify(body) })

const open = (options: TestAppOptions = {}) =>
  startApp({ ...options, settings: { signup: true, ...options.settings } })

test('2.6: while signup is off, every signup is refused', async () => {
  const app = await startApp({})
  for (const body of ['', 'rubbish', { username: 'eve', password }]) {
    const reply = await signUp(app, body)
    expect([reply.status, await reply.text()]).toEqual([405, '405 Method Not Allowed\n'])
  }
  expect(await app.records.users.findByName('eve')).toBe(null)
})

test('2.6: a new user logs in afterwards, with a folder of their own', async () => {
  const app = await open({ files: { 'secret.txt': 'S' } })
  const reply = await signUp(app, { username: 'eve', password })
  expect([reply.status, await reply.text(), reply.headers.getSetCookie()]).toEqual([200, '200 OK\n', []])
  const token = await (await login(app, { username: 'eve', password })).text()
  const listing = (await (await app.fetch('/api/resources/', { token })).json()) as { items: unknown[] }
  expect(listing.items).toEqual([])
  expect(await treeOf(app.disk)).toEqual({ 'secret.txt': 'S', users: { eve: {} } })
})

test('names without Latin letters get a folder of their own', async () => {
  const app = await open()
  for (const username of ['张三', 'Зоя']) expect((await signUp(app, { username, password })).status).toBe(200)
  expect(await treeOf(app.disk)).toEqual({ users: { 张三: {}, Зоя: {} } })
})

test('T9: a signup cannot give administrator rights, commands or the root as scope', async () => {
  const perm = { ...defaultSettings.defaults.perm, admin: true, execute: true }
  const defaults = { ...defaultSettings.defaults, perm, commands: ['sh'], scope: '/x/..' }
  const app = await open({ settings: { defaults } })
  const more = { perm: { admin: true }, scope: '/', id: 1, lockPassword: true }
  await signUp(app, { username: 'eve', password, ...more })
  expect(await app.records.users.findByName('eve')).toMatchObject({
    perm: { admin: false, execute: false, download: true },
    commands: [],
    scope: '/users/eve',
    rules: [],
    lockPassword: false,
  })
})

test('2.6: new users share the default scope, unless each gets a folder', async () => {
  const defaults = { ...defaultSettings.defaults, scope: 'shared' }
  const app = await open({ settings: { defaults }, files: { shared: {} } })
  await signUp(app, { username: 'eve', password })
  expect((await app.records.users.findByName('eve'))?.scope).toBe('shared')
  await app.records.settings.change({ createUserDir: true })
  await signUp(app, { username: 'zoe', password })
  expect((await app.records.users.findByName('zoe'))?.scope).toBe('/users/zoe')
  expect(await treeOf(app.disk)).toEqual({ shared: {}, users: { zoe: {} } })
})

test.each<readonly [string, string, number]>([
  ['the same folder', '/users/eve', 409],
  ['the same folder, written in another way', 'users//x/../eve/', 409],
  ['a folder in it', '/users/eve/docs', 409],
  ['a folder with a longer name', '/users/eve-2', 200],
  ['the folder of all homes', '/users', 200],
  ['everything', '/', 200],
])(
  'a home is not given away while the scope of another user is missing on the disk: %s',
  async (_case, scope, status) => {
    const app = await open({ user: { scope } })
    const reply = await signUp(app, { username: 'eve', password })
    expect(reply.status).toBe(status)
    expect((await app.records.users.findByName('eve'))?.scope).toBe(status === 200 ? '/users/eve' : undefined)
    expect(await treeOf(app.disk)).toEqual(status === 200 ? { users: { eve: {} } } : {})
  },
)

test.each<readonly [string, unknown, number, string]>([
  ['no body', '', 400, '(a name and a password are required)'],
  ['no JSON', 'rubbish', 400, '(a name'],
  ['no name', { password }, 400, '(a name'],
  ['an empty name', { username: '', password }, 400, '(a name'],
  ['a name that is a number', { username: 1, password }, 400, '(a name'],
  ['no password', { username: 'eve' }, 400, '(a name'],
  [
    'a short password',
    { username: 'eve', password: 'short' },
    400,
    'password is too short, minimum length is 12',
  ],
  ['a common password', { username: 'eve', password: 'password1234' }, 400, 'password is too easy'],
  [
    'a name that cannot be a folder name',
    { username: '..', password },
    400,
    '(the user name leaves no valid folder name)',
  ],
  ['a blank name', { username: '  ', password }, 400, '(the user name leaves no valid folder name)'],
  ['a name with control characters', { username: 'e\u0007ve', password }, 400, 'control characters'],
  ['a name with outer blanks', { username: ' eve', password }, 400, '(the user name begins or ends'],
  ['a name that changes the direction', { username: 'e\u202eve', password }, 400, 'invisible characters'],
  ['a name with a character of no width', { username: 'ann\u200b', password }, 400, 'invisible characters'],
  ['a taken name', { username: 'ann', password }, 409, '409 Conflict'],
  ['a taken name in other case', { username: 'ANN', password }, 409, '409 Conflict'],
  ['a name whose folder exists', { username: 'b/b', password }, 409, '409 Conflict'],
])('2.6: a signup with %s is refused and creates nothing', async (...[_case, body, status, text]) => {
  const files = { users: { 'b-b': { 'mine.txt': 'M' } } }
  const app = await open({ files })
  const reply = await signUp(app, body)
  expect([reply.status, await reply.text()]).toEqual([status, expect.stringContaining(text)])
  expect(await app.records.users.list()).toHaveLength(1)
  expect(await treeOf(app.disk)).toEqual(files)
})

test.each([
  ['short-password', '12', { username: 'eve', password: 'short' }],
  ['easy-password', null, { username: 'eve', password: 'password1234' }],
  ['password', null, { username: 'eve', password: 'a\0 long password' }],
  ['username', null, { username: 'e\u0007ve', password }],
])('a signup that is refused names the value by the code %s', async (refused, minimumLength, body) => {
  const { headers } = await signUp(await open(), body)
  expect([headers.get('x-refused'), headers.get('x-minimum-length')]).toEqual([refused, minimumLength])
})

test('of two concurrent signups with the same name one succeeds', async () => {
  const app = await open()
  const replies = await Promise.all(
    ['eve', 'Eve', 'eve'].map((username) => signUp(app, { username, password })),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
})

test('signup and login require the challenge, and a failed challenge fails the login', async () => {
  const service = await captchaServer((reply) => {
    const response = service.forms.at(-1)?.get('response')
    reply.end(JSON.stringify({ success: response === 'right' }))
  })
  const app = await open()
  const recaptcha = { host: service.host, key: 'key', secret: 'secret' }
  await app.records.settings.setSignIn({ recaptcha, header: '', command: '' })
  const eve = { username: 'eve', password }
  for (const challenge of [{}, { recaptcha: 'wrong' }]) {
    expect((await signUp(app, { ...eve, ...challenge })).status).toBe(403)
    expect((await login(app, { username: 'ann', password: app.password, ...challenge })).status).toBe(403)
  }
  expect((await signUp(app, { ...eve, recaptcha: 'right' })).status).toBe(200)
  expect((await login(app, { ...eve, recaptcha: 'right' })).status).toBe(200)
})

test('a page of another site cannot sign a user up', async () => {
  const app = await open()
  const body = JSON.stringify({ username: 'eve', password })
  const headers = { 'sec-fetch-site': 'cross-site' }
  expect((await app.fetch('/api/signup', { method: 'POST', token: null, headers, body })).status).toBe(403)
})
