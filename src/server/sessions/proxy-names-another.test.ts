import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startApp, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'

type Headers = Readonly<Record<string, string>>

const asBea = { 'x-forwarded-user': 'bea' }

/** Starts a server with the users ann and bea, on which a proxy logs users in. */
async function open(options: TestAppOptions = {}): Promise<TestApp> {
  const files = { ann: { 'ann.txt': 'of Ann' }, bea: { 'bea.txt': 'of Bea' } }
  const app = await startApp({
    files,
    user: { scope: '/ann' },
    users: { bea: { scope: '/bea' } },
    ...options,
  })
  await app.records.settings.setSignIn({ recaptcha: null, header: 'X-Forwarded-User', command: '' })
  await app.records.settings.change({ authMethod: 'proxy', ...options.settings })
  return app
}

/** Returns the status of each way in which a browser that has the session of Ann can use it. */
async function statusesOf(app: TestApp, headers: Headers): Promise<readonly number[]> {
  const login = await app.fetch('/api/login', {
    method: 'POST',
    token: null,
    headers: { 'x-forwarded-user': 'ann' },
  })
  const cookie = (login.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? ''
  const ticket = await app.call('tickets.create', { json: { path: '/ann.txt', kind: 'raw' } })
  const replies = [
    await app.fetch('/api/resources/ann.txt', { headers }),
    await app.fetch('/api/renew', { method: 'POST', headers }),
    await app.fetch('/api/resources/new.txt?override=true', { method: 'POST', body: 'n', headers }),
    await app.fetch('/api/raw/ann.txt', { token: null, headers: { ...headers, cookie } }),
    await app.fetch(`/api/raw/ann.txt?auth=${app.token}`, { token: null, headers }),
    await app.fetch(`/api/raw/ann.txt?auth=${await ticket.text()}`, { token: null, headers }),
  ]
  return replies.map(({ status }) => status)
}

/** Opens a socket with the session of Ann. Returns the status of the handshake. */
const dialSocket = ({ url, token }: TestApp, path: string, headers: Headers): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws') + path, {
      headers: { 'x-auth': token, ...headers },
    })
    const settle = ({ statusCode = 0 }) => {
      socket.terminate()
      resolve(statusCode)
    }
    socket.on('error', () => undefined).once('upgrade', settle)
    socket.once('unexpected-response', (_request, response) => settle(response))
  })

const accepted = [200, 200, 200, 200, 200, 200]
const refused = [401, 401, 401, 401, 401, 401]

test.each<readonly [string, Headers, readonly number[]]>([
  ['the same user', { 'x-forwarded-user': 'ann' }, accepted],
  ['the same user with blanks', { 'x-forwarded-user': ' \tann\t ' }, accepted],
  ['nobody', {}, accepted],
  ['an empty name', { 'x-forwarded-user': '' }, accepted],
  ['another user in another header', { 'x-remote-user': 'bea' }, accepted],
  ['another user', asBea, refused],
  ['a user who does not exist', { 'x-forwarded-user': 'eve' }, refused],
  ['a name in other letters', { 'x-forwarded-user': 'ANN' }, refused],
  ['two names in one header', { 'x-forwarded-user': 'ann, bea' }, refused],
  ['bytes that are no UTF-8', { 'x-forwarded-user': 'ann\u00ff' }, refused],
])('a session works while the proxy names its user or nobody: %s', async (_case, headers, statuses) => {
  const app = await open()
  expect(await statusesOf(app, headers)).toEqual(statuses)
  expect((await app.fetch('/api/resources/ann.txt')).status).toBe(200)
  expect(await app.records.users.list()).toHaveLength(2)
})

test('a result that is cached for the token is not used for the next person', async () => {
  const app = await open()
  const ask = async (headers: Headers) => (await app.fetch('/api/resources/', { headers })).status
  const asAnn = { 'x-forwarded-user': 'ann' }
  expect([await ask(asAnn), await ask(asBea), await ask({}), await ask(asBea), await ask(asAnn)]).toEqual([
    200, 401, 200, 401, 200,
  ])
  await app.records.settings.change({ authMethod: 'json' })
  await expect.poll(() => ask(asBea)).toBe(200)
})

test.each(['/api/events', '/api/command/'])('no socket opens for the next person: %s', async (path) => {
  const app = await open()
  const dial = (headers: Headers) => dialSocket(app, path, headers)
  expect([await dial({}), await dial({ 'x-forwarded-user': 'ann' }), await dial(asBea)]).toEqual([
    101, 101, 401,
  ])
})

test.each<readonly [string, TestAppOptions]>([
  ['people log in by password', { settings: { authMethod: 'json' } }],
  ['the peer is no trusted proxy', { config: { trustedProxies: ['192.0.2.1'] } }],
])('the header changes nothing where %s', async (_case, options) => {
  const app = await open(options)
  expect((await app.fetch('/api/resources/ann.txt', { headers: asBea })).status).toBe(200)
})

test('the next person logs in with the token and the cookie of the person before', async () => {
  const app = await open()
  const reply = await app.fetch('/api/login', { method: 'POST', headers: asBea })
  expect(reply.status).toBe(200)
  const token = await reply.text()
  expect((await app.fetch('/api/raw/bea.txt', { token, headers: asBea })).status).toBe(200)
})
