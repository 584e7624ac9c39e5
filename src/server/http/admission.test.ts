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
const own = { 'sec-fetch-site': 'same-origin' }
const foreign = { 'sec-fetch-site': 'cross-site' }

test.each([
  ['nobody', 'GET /api/resources/', { 'x-auth': '' }, 401],
  ['nobody may log in', 'POST /api/login', { 'x-auth': '' }, 200],
  ['a token', 'GET /api/resources/', {}, 200],
  ['a token of nobody', 'GET /api/resources/', { 'x-auth': 'x.eve.y' }, 401],
  ['a cookie reads', 'GET /api/resources/', cookie, 200],
  ['a cookie reads heads', 'HEAD /api/resources/', cookie, 200],
  ['a cookie changes nothing', 'DELETE /api/resources/a', { ...cookie, ...own }, 401],
  ['a cookie logs out from our own page', 'POST /api/logout', { ...cookie, ...own }, 200],
  ['a cookie without any mark does not log out', 'POST /api/logout', cookie, 401],
  ['a foreign page cannot log out', 'POST /api/logout', { ...cookie, ...foreign }, 403],
  ['a foreign page cannot log in', 'POST /api/login', { 'x-auth': '', ...foreign }, 403],
  ['a foreign page cannot change', 'DELETE /api/resources/a', foreign, 403],
  ['a foreign origin cannot change', 'DELETE /api/resources/a', { origin: 'http://evil.example' }, 403],
  ['origin null cannot change', 'DELETE /api/resources/a', { origin: 'null' }, 403],
  ['a trusted origin may', 'DELETE /api/resources/a', { origin: 'https://trusted.example' }, 200],
  ['a foreign page does not show our bytes', 'GET /api/raw/a.txt', foreign, 403],
  [
    'a foreign page does not frame our bytes',
    'GET /api/raw/a.txt',
    { ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    403,
  ],
  ['bytes as a script', 'GET /api/raw/a.txt', { ...own, 'sec-fetch-dest': 'script' }, 403],
  ['without the permission', 'DELETE /api/resources/a', { 'x-auth': 'x.bea.y' }, 403],
  ['without download', 'GET /api/raw/a.txt', { 'x-auth': 'x.bea.y' }, 403],
  ['oneself', 'GET /api/users/3', { 'x-auth': 'x.bea.y' }, 200],
  ['somebody else', 'GET /api/users/2', { 'x-auth': 'x.bea.y' }, 403],
  ['anybody for Ada', 'GET /api/users/2', { 'x-auth': 'x.ada.y' }, 200],
  ['for administrators', 'POST /api/renew', {}, 403],
  ['for administrators, Ada', 'POST /api/renew', { 'x-auth': 'x.ada.y' }, 200],
  ['a token in the address reads bytes', 'GET /api/raw/a.txt?auth=x.ann.y', { 'x-auth': '' }, 200],
  ['a token in the address, HEAD', 'HEAD /api/raw/a.txt?auth=x.ann.y', { 'x-auth': '' }, 200],
  ['a token in the address is none elsewhere', 'GET /api/resources/?auth=x.ann.y', { 'x-auth': '' }, 401],
  ['nor for a change', 'DELETE /api/resources/a?auth=x.ann.y', { 'x-auth': '' }, 401],
  ['a rotten one beside a good header', 'GET /api/raw/a.txt?auth=x.eve.y', {}, 200],
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

test('following a link from a foreign page is not refused as a foreign origin', async () => {
  const { raw } = await startHttpServer({ routes: await routes() })
  const marks = 'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n'
  const head = 'GET /api/raw/a.txt HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n'
  expect(await raw(`${head}${marks}\r\n`)).toMatch(/^HTTP\/1.1 200 /)
  expect(await raw(`${head}${marks.replace('document', 'iframe')}\r\n`)).toMatch(/^HTTP\/1.1 403 /)
})

test('tokens in addresses can be switched off', async () => {
  const { fetch } = await startHttpServer({ routes: await routes(), options: { disableTokenInUrl: true } })
  expect((await fetch('/api/raw/a.txt?auth=x.ann.y', { headers: { 'x-auth': '' } })).status).toBe(401)
})

test('the log names the header that shows the foreign origin, in the format that log filters expect', async () => {
  const { fetch, lines } = await startHttpServer({ routes: await routes() })
  await fetch('/api/resources/a', { method: 'DELETE', headers: { origin: 'http://evil.example' } })
  await fetch('/api/resources/', { headers: { 'x-auth': '' } })
  const stamp = String.raw`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d`
  expect(lines[0]).toMatch(
    new RegExp(`^${stamp} /api/resources/a: 403 127.0.0.1 foreign origin, Origin: http://evil.example$`),
  )
  expect(lines[1]).toMatch(new RegExp(`^${stamp} /api/resources/: 401 127.0.0.1 <nil>$`))
})

test('authenticated answers, including failures, request a renewal of the token when it is due; other answers do not', async () => {
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
