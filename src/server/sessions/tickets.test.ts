import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const files = { 'a b.txt': 'A', 'b.txt': 'B' }

const ticketFor = async (app: TestApp, path: string, kind = 'raw') => {
  const reply = await app.call('tickets.create', { json: { path, kind } })
  expect(reply.status).toBe(200)
  return reply.text()
}

const get = (app: TestApp, address: string, more: object = {}) => app.fetch(address, { token: null, ...more })

test('a ticket opens one file once, without a token', async () => {
  const app = await startApp({ files })
  const ticket = await ticketFor(app, '/a b.txt')
  expect(ticket).toMatch(/^[\w-]{43}$/)
  const reply = await get(app, `/api/raw/a%20b.txt?auth=${ticket}`)
  expect([reply.status, await reply.text(), reply.headers.get('referrer-policy')]).toEqual([
    200,
    'A',
    'no-referrer',
  ])
  expect((await get(app, `/api/raw/a%20b.txt?auth=${ticket}`)).status).toBe(401)
  expect(app.lines.join()).not.toContain(ticket)
})

test('a ticket for a file shown inline may be used for ranges and repeatedly', async () => {
  const app = await startApp({ files })
  const ticket = await ticketFor(app, '/a b.txt')
  for (let n = 0; n < 3; n += 1)
    expect((await get(app, `/api/raw/a%20b.txt?inline=true&auth=${ticket}`)).status).toBe(200)
})

test.each<readonly [string, string, string]>([
  ['another path', 'GET', '/api/raw/b.txt'],
  ['the folder above', 'GET', '/api/raw/'],
  ['another call', 'GET', '/api/resources/a%20b.txt'],
  ['a change', 'DELETE', '/api/resources/a%20b.txt'],
])('a ticket does not open %s, and stays valid for its target', async (_case, method, address) => {
  const app = await startApp({ files })
  const ticket = await ticketFor(app, '/a b.txt')
  expect((await get(app, `${address}?auth=${ticket}`, { method })).status).toBe(401)
  expect((await get(app, `/api/raw/a%20b.txt?auth=${ticket}`)).status).toBe(200)
})

test.each<readonly [string, string, string, number]>([
  ['raw', '/t.srt', '/api/raw/t.srt', 200],
  ['preview', '/t.srt', '/api/preview/thumb/t.srt', 501],
  ['subtitle', '/t.srt', '/api/subtitle/t.srt', 200],
])('a ticket of the kind %s opens its target', async (kind, at, address, status) => {
  const app = await startApp({ files: { 't.srt': '1\n00:00:01,000 --> 00:00:02,000\nHi\n' } })
  const ticket = await ticketFor(app, at, kind)
  expect((await get(app, address)).status).toBe(401)
  expect((await get(app, `${address}?auth=${ticket}`)).status).toBe(status)
})

test('a ticket of another kind opens no bytes', async () => {
  const app = await startApp({ files })
  const ticket = await ticketFor(app, '/a b.txt', 'subtitle')
  expect((await get(app, `/api/raw/a%20b.txt?auth=${ticket}`)).status).toBe(401)
})

test('a ticket is no token, and is ignored when a token is sent too', async () => {
  const app = await startApp({ files })
  const ticket = await ticketFor(app, '/a b.txt')
  expect((await app.fetch('/api/raw/b.txt', { token: ticket })).status).toBe(401)
  expect((await app.fetch('/api/raw/b.txt?auth=rubbish', {})).status).toBe(200)
  expect((await app.fetch(`/api/raw/a%20b.txt?auth=${ticket}`, { token: 'x.y.z' })).status).toBe(401)
  expect((await app.fetch(`/api/raw/a%20b.txt?auth=${ticket}`, {})).status).toBe(200)
  expect((await get(app, `/api/raw/a%20b.txt?auth=${ticket}`)).status).toBe(200)
})

test('a ticket ends with its session', async () => {
  const app = await startApp({ files })
  const ticket = await ticketFor(app, '/a b.txt')
  await app.call('sessions.logout')
  expect((await get(app, `/api/raw/a%20b.txt?inline=true&auth=${ticket}`)).status).toBe(401)
})

test('a ticket opens only what its user may open at the time of use', async () => {
  const app = await startApp({ files, user: { perm: { download: false } } })
  const ticket = await ticketFor(app, '/a b.txt')
  expect((await get(app, `/api/raw/a%20b.txt?auth=${ticket}`)).status).toBe(403)
})

test.each([
  [{ path: '/a/../b', kind: 'raw' }],
  [{ path: '/a', kind: 'shares' }],
  [{ path: 1, kind: 'raw' }],
  [{ kind: 'raw' }],
])('the ticket request %j is refused', async (json) => {
  const app = await startApp({ files })
  expect((await app.call('tickets.create', { json })).status).toBe(400)
})

test('the cookie alone does not authorise issuing a ticket', async () => {
  const app = await startApp({ files })
  const body = JSON.stringify({ username: 'ann', password: app.password })
  const [cookie = ''] = (await get(app, '/api/login', { method: 'POST', body })).headers.getSetCookie()
  const request = { method: 'POST', headers: { cookie }, body: '{"path":"/b.txt","kind":"raw"}' }
  expect((await get(app, '/api/ticket', request)).status).toBe(401)
})
