import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startApp, treeOf, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'

/**
 * Starts a server on which a proxy logs users in. Ann logs in with her password before, because the tests need a
 * session.
 */
async function open(options: TestAppOptions = {}) {
  const app = await startApp(options)
  await app.records.settings.setSignIn({ recaptcha: null, header: 'X-Forwarded-User', command: '' })
  await app.records.settings.change({ authMethod: 'proxy' })
  return app
}

const login = (app: TestApp, headers: Readonly<Record<string, string>>, body?: string) =>
  app.fetch('/api/login', { method: 'POST', token: null, headers, ...(body === undefined ? {} : { body }) })

/** Returns the text of a header whose bytes are the UTF-8 of the name. */
const latin1 = (name: string) => Buffer.from(name, 'utf8').toString('latin1')

const nameIn = async (reply: Response) => {
  const [, claims = ''] = (await reply.text()).split('.')
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { user: { username: string } }).user
    .username
}

test('2.7: the user named by the proxy is logged in without a password', async () => {
  const app = await open()
  const reply = await login(app, { 'x-forwarded-user': 'ann' })
  expect([reply.status, await nameIn(reply)]).toEqual([200, 'ann'])
})

test('user names in the header are UTF-8', async () => {
  const app = await open({ users: { jürgen: {} } })
  const sent = Buffer.from('jürgen', 'utf8').toString('latin1')
  expect(await nameIn(await login(app, { 'x-forwarded-user': sent }))).toBe('jürgen')
})

test.each<readonly [string, Readonly<Record<string, string>>]>([
  ['no header', {}],
  ['an empty header', { 'x-forwarded-user': '' }],
  ['another header', { 'x-remote-user': 'ann' }],
  ['an invalid name', { 'x-forwarded-user': 'x'.repeat(300) }],
  ['a name that differs in case from a user’s', { 'x-forwarded-user': 'ANN' }],
])('2.7: a login with %s fails, whatever the body says', async (_case, headers) => {
  const app = await open()
  const body = JSON.stringify({ username: 'ann', password: app.password })
  const reply = await login(app, headers, body)
  expect([reply.status, await reply.text()]).toEqual([403, '403 Forbidden\n'])
  expect(await app.records.users.list()).toHaveLength(1)
})

test('2.7: the header is ignored from a peer that is not a trusted proxy', async () => {
  const app = await open({ config: { trustedProxies: ['192.0.2.1'] } })
  const headers = { 'x-forwarded-user': 'ann', 'x-forwarded-for': '192.0.2.1' }
  expect((await login(app, headers)).status).toBe(403)
})

test('2.7: an unknown user is created with the default permissions', async () => {
  const perm = { ...defaultSettings.defaults.perm, admin: true }
  const defaults = { ...defaultSettings.defaults, perm, commands: ['sh'], scope: 'shared' }
  const app = await open({ settings: { defaults } })
  const replies = await Promise.all([1, 2, 3].map(() => login(app, { 'x-forwarded-user': 'eve' })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await app.records.users.list()).toHaveLength(2)
  expect(await app.records.users.findByName('eve')).toMatchObject({
    scope: 'shared',
    lockPassword: true,
    commands: [],
    perm: { admin: false, execute: false, download: true },
  })
})

test('10.6: a new user whose folder name is taken gets the next free name', async () => {
  const files = { users: { eve: { 'mine.txt': 'M' }, 'eve-2': {} } }
  const app = await open({ settings: { createUserDir: true }, files })
  expect((await login(app, { 'x-forwarded-user': 'eve' })).status).toBe(200)
  expect((await app.records.users.findByName('eve'))?.scope).toBe('/users/eve-3')
  expect(await treeOf(app.disk)).toEqual({ users: { ...files.users, 'eve-3': {} } })
})

test('a new user does not get the scope of another user whose folder is missing', async () => {
  const users = { bea: { scope: '/users/eve' }, cyd: { scope: '/users/eve-2/docs' } }
  const app = await open({ settings: { createUserDir: true }, users })
  expect((await login(app, { 'x-forwarded-user': 'eve' })).status).toBe(200)
  expect((await app.records.users.findByName('eve'))?.scope).toBe('/users/eve-3')
  expect(await treeOf(app.disk)).toEqual({ users: { 'eve-3': {} } })
})

test('white space other than blanks and tabs, a byte order mark and control characters make another name', async () => {
  const app = await open({ users: { 'bea lee': {} } })
  for (const name of [' ann', 'ann\t ', 'bea lee'])
    expect((await login(app, { 'x-forwarded-user': name })).status).toBe(200)
  for (const name of [
    '\ufeffann',
    'ann\u00a0',
    '\u3000ann',
    'ann\u2028',
    'ann\u0085',
    'eve\u00a0lee',
    'eve\tlee',
    'e\ufeffve',
  ]) {
    expect([name, (await login(app, { 'x-forwarded-user': latin1(name) })).status]).toEqual([name, 403])
    const headers = { 'x-forwarded-user': latin1(name) }
    expect([name, (await app.fetch('/api/resources/', { headers })).status]).toEqual([name, 401])
  }
  expect(app.lines.join('\n')).toContain('the header X-Forwarded-User contains white space other than blanks')
  expect(await app.records.users.list()).toHaveLength(2)
})

test('a disabled user cannot log in', async () => {
  const app = await open({ users: { bea: { isDisabled: true } } })
  expect((await login(app, { 'x-forwarded-user': 'bea' })).status).toBe(403)
})

test('the header authenticates no other call', async () => {
  const app = await open()
  const headers = { 'x-forwarded-user': 'ann' }
  expect((await app.fetch('/api/resources/', { token: null, headers })).status).toBe(401)
})

test('a name that is not given once by a trusted proxy creates nobody, and the log says why', async () => {
  const app = await open({ users: { jürgen: {} } })
  const { port } = new URL(app.url)
  const sendTwice = (name: string, values: string[]) =>
    new Promise<number>((resolve, reject) => {
      const headers = { [name]: values }
      const sent = request({
        host: '127.0.0.1',
        port,
        path: '/api/login',
        method: 'POST',
        headers,
        agent: false,
      })
      sent.once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
      sent.once('error', reject).end()
    })
  expect(await sendTwice('X-Forwarded-User', ['admin', 'bea'])).toBe(403)
  expect(app.lines.at(-1)).toContain('the header X-Forwarded-User is missing, empty or repeated')
  expect((await login(app, { 'x-forwarded-user': 'JÜRGEN'.replace('Ü', '\u00c3\u009c') })).status).toBe(403)
  expect(app.lines.at(-1)).toContain('a user has nearly this name')
  expect((await login(app, { 'x-forwarded-user': 'b\u00e2\u0080\u00aeea' })).status).toBe(403)
  expect(app.lines.at(-1)).toContain('invisible characters')
  expect(await app.records.users.list()).toHaveLength(2)
})

test('a name with a comma creates nobody, because a proxy may have joined a header that a client sent with its own', async () => {
  const app = await open({ users: { 'cn=bea,dc=example': {} } })
  for (const name of ['admin,bea', 'admin, bea', ',ann', 'ann,', 'ann,ann'])
    expect([name, (await login(app, { 'x-forwarded-user': name })).status]).toEqual([name, 403])
  expect(app.lines.at(-1)).toContain('the header X-Forwarded-User contains a comma')
  expect(await app.records.users.list()).toHaveLength(2)
  const known = await login(app, { 'x-forwarded-user': 'cn=bea,dc=example' })
  expect(await nameIn(known)).toBe('cn=bea,dc=example')
})

test('a login header from an untrusted address is named in the log', async () => {
  const app = await open({ config: { trustedProxies: [] } })
  expect((await login(app, { 'x-forwarded-user': 'ann' })).status).toBe(403)
  expect(app.lines.at(-1)).toContain(
    'the header X-Forwarded-User came from 127.0.0.1, which --auth.trustedProxies does not contain',
  )
})

test('new users whose names have no Latin letters get a folder of their own', async () => {
  const app = await open({ settings: { createUserDir: true } })
  for (const name of ['张三', 'Зоя'])
    expect((await login(app, { 'x-forwarded-user': latin1(name) })).status).toBe(200)
  expect((await app.records.users.list()).map(({ scope }) => scope).slice(1)).toEqual([
    '/users/张三',
    '/users/Зоя',
  ])
  expect(await treeOf(app.disk)).toEqual({ users: { 张三: {}, Зоя: {} } })
})
