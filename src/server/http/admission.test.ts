import { expect, test } from 'vitest'
import { endpoint } from '../../shared/contract/endpoint.ts'
import { getRaw } from '../../shared/contract/raw.ts'
import { createResource, getResource, removeResource } from '../../shared/contract/resources.ts'
import { login, logout, renew } from '../../shared/contract/sessions.ts'
import { getUser } from '../../shared/contract/users.ts'
import { headersOf, fileOf, startHttpServer } from '../../../test/kit/start-http-server.ts'
import { done, route } from './route.ts'

const routes = async () => {
  const file = await fileOf('a.txt', 'hello')
  return [
    route(getResource, async () => done),
    route(createResource, async () => done),
    route(removeResource, async () => done),
    route(getRaw, async () => ({ kind: 'file', file: await file.open(), isInline: false })),
    route(getUser, async () => done),
    route(login, async () => done),
    route(logout, async () => done),
    route(endpoint({ ...renew, audience: 'admin' }), async () => done),
  ]
}

const cookie = { 'x-auth': '', cookie: 'other=1; auth=cookie-of-ann' }
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const crossSite = { 'sec-fetch-site': 'cross-site' }

test.each([
  ['without credentials', 'GET /api/resources/', { 'x-auth': '' }, 401],
  ['a login without credentials', 'POST /api/login', { 'x-auth': '' }, 200],
  ['a token', 'GET /api/resources/', {}, 200],
  ['a token of no session', 'GET /api/resources/', { 'x-auth': 'x.eve.y' }, 401],
  ['a cookie allows GET', 'GET /api/resources/', cookie, 200],
  ['a cookie allows HEAD', 'HEAD /api/resources/', cookie, 200],
  ['a cookie does not allow a change', 'DELETE /api/resources/a', { ...cookie, ...sameOrigin }, 401],
  ['a cookie allows logging out from our own page', 'POST /api/logout', { ...cookie, ...sameOrigin }, 200],
  ['a cookie does not allow logging out without an origin', 'POST /api/logout', cookie, 401],
  ['a page of another server cannot log out', 'POST /api/logout', { ...cookie, ...crossSite }, 403],
  ['a page of another server cannot log in', 'POST /api/login', { 'x-auth': '', ...crossSite }, 403],
  ['a page of another server cannot change entries', 'DELETE /api/resources/a', crossSite, 403],
  ['another origin cannot change entries', 'DELETE /api/resources/a', { origin: 'http://evil.example' }, 403],
  ['the origin null cannot change entries', 'DELETE /api/resources/a', { origin: 'null' }, 403],
  [
    'a trusted origin can change entries',
    'DELETE /api/resources/a',
    { origin: 'https://trusted.example' },
    200,
  ],
  ['a page of another server cannot embed files', 'GET /api/raw/a.txt', crossSite, 403],
  [
    'a page of another server cannot frame files',
    'GET /api/raw/a.txt',
    { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    403,
  ],
  ['a file as a script', 'GET /api/raw/a.txt', { ...sameOrigin, 'sec-fetch-dest': 'script' }, 403],
  ['a change without the permission', 'DELETE /api/resources/a', { 'x-auth': 'x.bea.y' }, 403],
  ['a download without the permission', 'GET /api/raw/a.txt', { 'x-auth': 'x.bea.y' }, 403],
  ['the account of the caller', 'GET /api/users/3', { 'x-auth': 'x.bea.y' }, 200],
  ['the account of another user', 'GET /api/users/2', { 'x-auth': 'x.bea.y' }, 403],
  ['the account of another user, for an administrator', 'GET /api/users/2', { 'x-auth': 'x.ada.y' }, 200],
  ['an endpoint for administrators, for a user', 'POST /api/renew', {}, 403],
  ['an endpoint for administrators, for an administrator', 'POST /api/renew', { 'x-auth': 'x.ada.y' }, 200],
  ['a token in the URL allows GET of files', 'GET /api/raw/a.txt?auth=x.ann.y', { 'x-auth': '' }, 200],
  ['a token in the URL allows HEAD of files', 'HEAD /api/raw/a.txt?auth=x.ann.y', { 'x-auth': '' }, 200],
  [
    'a token in the URL is ignored by other endpoints',
    'GET /api/resources/?auth=x.ann.y',
    { 'x-auth': '' },
    401,
  ],
  [
    'a token in the URL does not allow a change',
    'DELETE /api/resources/a?auth=x.ann.y',
    { 'x-auth': '' },
    401,
  ],
  ['an invalid token in the URL and a valid header', 'GET /api/raw/a.txt?auth=x.eve.y', {}, 200],
])('%s: %s', async (_case, request, headers, status) => {
  const [method = '', address = ''] = request.split(' ')
  const { fetch, lines } = await startHttpServer({
    routes: await routes(),
    options: { trustedOrigins: ['https://trusted.example'] },
  })
  const reply = await fetch(address, { method, headers: headersOf(headers) })
  await reply.arrayBuffer()
  expect(reply.status).toBe(status)
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
  expect(lines).toHaveLength(status < 400 ? 0 : 1)
  expect(lines.join()).not.toContain('x.ann.y')
})

test('a link on a page of another server can be followed', async () => {
  const { raw } = await startHttpServer({ routes: await routes() })
  const marks = 'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n'
  const head = 'GET /api/raw/a.txt HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n'
  expect(await raw(`${head}${marks}\r\n`)).toMatch(/^HTTP\/1.1 200 /)
  expect(await raw(`${head}${marks.replace('document', 'iframe')}\r\n`)).toMatch(/^HTTP\/1.1 403 /)
})

test('tokens in URLs can be disabled', async () => {
  const { fetch } = await startHttpServer({ routes: await routes(), options: { disableTokenInUrl: true } })
  expect((await fetch('/api/raw/a.txt?auth=x.ann.y', { headers: { 'x-auth': '' } })).status).toBe(401)
})

test('the log names the header that shows the foreign origin, in the format that log filters expect', async () => {
  const { fetch, lines } = await startHttpServer({ routes: await routes() })
  await fetch('/api/resources/a', { method: 'DELETE', headers: { origin: 'http://evil.example' } })
  await fetch('/api/resources/', { headers: { 'x-auth': '' } })
  const stamp = String.raw`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d`
  expect(lines[0]).toMatch(
    new RegExp(`^${stamp} /api/resources/a: 403 127.0.0.1 foreign origin, Origin: http://evil.example; .*`),
  )
  expect(lines[1]).toMatch(new RegExp(`^${stamp} /api/resources/: 401 127.0.0.1 <nil>$`))
})

test('responses to authenticated requests, including failures, request a renewal of the token when it is due', async () => {
  const { fetch } = await startHttpServer({ routes: await routes(), shouldRenew: true })
  const asks = async (address: string, init = {}) => (await fetch(address, init)).headers.get('x-renew-token')
  expect(await asks('/api/resources/')).toBe('true')
  expect(await asks('/api/raw/a.txt')).toBe('true')
  expect(await asks('/api/resources/a', { method: 'DELETE', headers: { 'x-auth': 'x.bea.y' } })).toBe('true')
  expect(await asks('/api/login', { method: 'POST' })).toBeNull()
  expect(await asks('/api/resources/', { headers: { 'x-auth': 'x.eve.y' } })).toBeNull()
})

test('the JSON log has the same fields as the text log', async () => {
  const { fetch, lines } = await startHttpServer({ routes: await routes(), options: { logFormat: 'json' } })
  await fetch('/api/resources/', { headers: { 'x-auth': '' } })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    path: '/api/resources/',
    status: 401,
    address: '127.0.0.1',
    error: null,
  })
})
