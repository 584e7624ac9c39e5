import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const login = (app: TestApp, body: unknown) =>
  app.fetch('/api/login', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    token: null,
  })

const right = (app: TestApp) => ({ username: app.user.username, password: app.password, recaptcha: '' })
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

test("a login answers a token with the user's fields and sets a cookie that scripts cannot read", async () => {
  const app = await startApp({})
  const reply = await login(app, right(app))
  const token = await reply.text()
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(token.split('.')).toHaveLength(3)
  const claims = claimsOf(token)
  expect(claims['user']).toMatchObject({ id: app.user.id, username: 'ann' })
  expect(Object.values((claims['user'] as { perm: object }).perm)).toHaveLength(8)
  expect(claims['user']).not.toHaveProperty('scope')
  expect([Number(claims['exp']) - Number(claims['iat']), claims['iss']]).toEqual([7200, 'File Browser'])
  const [cookie] = reply.headers.getSetCookie()
  expect(cookie).toMatch(/^auth=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain(token)
})

test.each<readonly [string, unknown]>([
  ['a wrong password', { username: 'ann', password: 'wrong' }],
  ['an unknown name', { username: 'nobody', password: 'wrong' }],
  ['a name in another case', { username: 'ANN', password: 'ann has a long password' }],
  ['no JSON', 'hello'],
  ['no body', ''],
  ['a list', ['ann']],
  ['null', null],
  ['a password that is a number', { username: 'ann', password: 1 }],
])('a login with %s fails', async (_case, body) => {
  const app = await startApp({})
  const reply = await login(app, body)
  expect([reply.status, await reply.text()]).toEqual([403, '403 Forbidden\n'])
  expect(reply.headers.getSetCookie()).toEqual([])
})

test('after five failures the right password is refused too, but not for another user', async () => {
  const app = await startApp({ users: { bea: {} } })
  for (let n = 0; n < 5; n += 1) await login(app, { ...right(app), password: 'wrong' })
  const throttled = await login(app, right(app))
  expect([throttled.status, Number(throttled.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await app.signIn('bea')).token.split('.')).toHaveLength(3)
})

test('a renewal returns another token of the same session', async () => {
  const app = await startApp({})
  const reply = await app.call('sessions.renew')
  const renewed = await reply.text()
  expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, []])
  expect(claimsOf(renewed)['user']).toEqual(claimsOf(app.token)['user'])
  for (const token of [app.token, renewed])
    expect((await app.fetch('/api/resources/', { token })).status).toBe(200)
  expect((await app.fetch('/api/logout', { method: 'POST', token: renewed })).status).toBe(200)
  for (const token of [app.token, renewed])
    expect((await app.fetch('/api/resources/', { token })).status).toBe(401)
})

test('the cookie authorises reading but no changes, and logout only from our own origin', async () => {
  const app = await startApp({ files: { 'a.txt': 'A' } })
  const [cookie = ''] = (await login(app, right(app))).headers.getSetCookie()
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  const ask = async (path: string, method: string, more: object = {}) =>
    (await app.fetch(path, { method, token: null, headers: { ...headers, ...more } })).status
  expect(await ask('/api/resources/', 'GET')).toBe(200)
  expect(await ask('/api/resources/a.txt', 'DELETE')).toBe(401)
  expect(await ask('/api/logout', 'POST')).toBe(401)
  expect(await ask('/api/logout', 'POST', { 'sec-fetch-site': 'cross-site' })).toBe(403)
  const out = await app.fetch('/api/logout', {
    method: 'POST',
    token: null,
    headers: { ...headers, 'sec-fetch-site': 'same-origin' },
  })
  expect([out.status, await out.text()]).toEqual([200, '200 OK\n'])
  expect(out.headers.getSetCookie()[0]).toMatch(/^auth=; Max-Age=0; Path=\/;/)
  expect(await ask('/api/resources/', 'GET')).toBe(401)
})

test('a change of the user asks the client for renewal, and a login does not', async () => {
  const app = await startApp({})
  expect((await app.call('resources.get')).headers.get('x-renew-token')).toBe(null)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const json = { what: 'user', which: ['locale'], data: { id: app.user.id, locale: 'de' } }
  await app.call('users.update', { id: app.user.id, json })
  expect((await app.call('resources.get')).headers.get('x-renew-token')).toBe('true')
  const renewed = await (await app.call('sessions.renew')).text()
  expect((await app.fetch('/api/resources/', { token: renewed })).headers.get('x-renew-token')).toBe(null)
})

test('a change in the second in which the token was issued asks for renewal too, until the token is renewed', async () => {
  const app = await startApp({ nowMs: () => 1_700_000_000_500 })
  const json = { what: 'user', which: ['locale'], data: { id: app.user.id, locale: 'de' } }
  await app.call('users.update', { id: app.user.id, json })
  expect((await app.call('resources.get')).headers.get('x-renew-token')).toBe('true')
  const renewed = await (await app.call('sessions.renew')).text()
  expect((await app.fetch('/api/resources/', { token: renewed })).headers.get('x-renew-token')).toBe(null)
})

test('without a session a call is answered 401', async () => {
  const app = await startApp({ files: { 'a.txt': 'A' } })
  for (const token of [null, 'null', 'a.b.c', `${app.token}x`])
    expect((await app.fetch('/api/resources/', { token })).status).toBe(401)
})
