import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openCommand } from '../../../test/kit/command-socket.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import type { OldRequestResource, TakeoverResource } from '../../shared/contract/server.ts'
import { privateRanges } from '../auth/network.ts'

const files = { docs: { 'a.txt': 'A' } }
const admin = { perm: { admin: true } }

type TakeoverResponse = {
  readonly takeover: TakeoverResource | null
  readonly requests: readonly OldRequestResource[]
}

const reportOf = async (app: Pick<TestApp, 'call'>): Promise<TakeoverResponse> =>
  (await (await app.call('takeover.get')).json()) as TakeoverResponse

const summaryOf = async (app: TestApp) =>
  (await reportOf(app)).requests
    .map(({ reason, route, client, count }) => `${reason}: ${route} by ${client}, ${count}`)
    .toSorted()

/** Sends a request with a valid token that is answered in another way. */
const sendKnown = (app: TestApp) =>
  app.fetch(`/api/resources/docs?auth=${app.token}`, { token: null, headers: agent })

const agent = { 'user-agent': 'OldApp/1.2 (secret)' }

test('requests that are answered in another way than by File Browser are counted, and others are not', async () => {
  const app = await startApp({ files, user: admin })
  const { token } = app
  const bare = (address: string, method = 'GET', headers: Record<string, string> = {}) =>
    app
      .fetch(address, { method, token: null, headers: { ...agent, ...headers } })
      .then(({ status }) => status)
  expect(await bare(`/api/raw/docs/a.txt?auth=${token}`)).toBe(200)
  expect(await bare(`/api/raw/docs/a.txt?auth=${token}&inline=true`)).toBe(200)
  expect(await bare(`/api/resources/docs?auth=${token}`)).toBe(401)
  expect(await bare('/api/resources/docs/b/', 'POST', { cookie: `auth=${token}` })).toBe(401)
  const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  expect(await bare(`/api/raw/docs/a.txt?auth=${token}`, 'GET', foreign)).toBe(403)
  expect(await bare('/api/login', 'GET')).toBe(405)
  expect(await bare('/api/resource/docs/a.txt', 'PUT')).toBe(404)
  const expected = [
    'cookie-for-change: POST /api/resources/* by OldApp/1, 1',
    'login-method: GET /api/login by OldApp/1, 1',
    'other-site: GET /api/raw/* by OldApp/1, 1',
    'removed-route: PUT /api/resource/* by OldApp/1, 1',
    'token-in-url-refused: GET /api/resources/* by OldApp/1, 1',
    'token-in-url: GET /api/raw/* by OldApp/1, 2',
  ]
  expect(await summaryOf(app)).toEqual(expected)

  // File Browser answers these requests in the same way: invalid tokens, tickets and cookies of Stowage, unknown calls,
  // preflights and other methods.
  await bare('/api/raw/docs/a.txt?auth=a.b.c')
  await bare('/api/resources/docs?auth=a.b.c', 'GET', { cookie: 'auth=x.y.z' })
  await bare('/api/resources/docs/b/', 'POST', { cookie: 'auth=x.y.z' })
  await bare('/api/raw/docs/a.txt', 'GET', foreign)
  await bare('/api/login', 'OPTIONS')
  await bare('/api/version')
  await bare('/api/resources/docs', 'TRACE').catch(() => 0)
  await bare('/api/resources/docs', 'GET', { cookie: `auth=${token}` })
  const ticket = await app.call('tickets.create', { json: { path: '/docs/a.txt', kind: 'raw' } })
  expect(await bare(`/api/raw/docs/a.txt?auth=${encodeURIComponent(await ticket.text())}`)).toBe(200)
  expect(await summaryOf(app)).toEqual(expected)
  expect(JSON.stringify(await reportOf(app))).not.toMatch(/a\.txt|secret|docs/)
})

test('a token in the URL is refused where the administrator wants that, and counted so', async () => {
  const app = await startApp({ files, user: admin, config: { disableTokenInUrl: true } })
  const address = `/api/raw/docs/a.txt?auth=${app.token}`
  expect((await app.fetch(address, { token: null, headers: agent })).status).toBe(401)
  expect((await app.fetch(address)).status).toBe(200)
  expect(await summaryOf(app)).toEqual(['token-in-url-refused: GET /api/raw/* by OldApp/1, 1'])
})

test('a token of a session that has ended is refused as before, and not counted', async () => {
  const app = await startApp({ files, user: admin, users: { ben: {} } })
  const ben = await app.signIn('ben')
  await ben.call('sessions.logout')
  expect((await app.fetch(`/api/raw/docs/a.txt?auth=${ben.token}`, { token: null })).status).toBe(401)
  expect(await summaryOf(app)).toEqual([])
})

test('commands count while they are off', async () => {
  for (const disableExec of [true, false]) {
    const app = await startApp({ files, user: admin, config: { disableExec } })
    const { socket } = await openCommand(app, app, { headers: agent })
    socket.close()
    await expect
      .poll(() => summaryOf(app))
      .toEqual(disableExec ? ['commands-off: GET /api/command/* by OldApp/1, 1'] : [])
  }
})

test('a hostile header is shortened, and counts survive a restart', async () => {
  const app = await startApp({ files, user: admin })
  await sendKnown(app)
  const hostile = `<img src=x>${'a'.repeat(4000)}/1`
  await app.fetch('/api/checksum/x', { token: null, headers: { 'user-agent': hostile } })
  const row = (await reportOf(app)).requests.find(({ reason }) => reason === 'removed-route')
  expect(row?.client).toMatch(/^[A-Za-z0-9._+/-]{1,40}$/)
  expect(await app.records.oldRequests.list()).toHaveLength(2)
  const cleared = await app.call('takeover.clear')
  expect([cleared.status, await cleared.text()]).toEqual([200, '200 OK\n'])
  expect(await app.records.oldRequests.list()).toEqual([])
})

test('a request without a product of its client counts', async () => {
  const app = await startApp({ user: admin })
  await sendKnown(app)
  const { hostname, port } = new URL(app.url)
  await new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: '/api/renew' }, (response) => {
      response.resume().once('end', resolve)
    })
    sent.once('error', reject).end()
  })
  expect(await summaryOf(app)).toEqual([
    'login-method: GET /api/renew by , 1',
    'token-in-url-refused: GET /api/resources/* by OldApp/1, 1',
  ])
})

/** Stores that the server was taken over, with an empty report. */
const setTakeover = (app: TestApp) =>
  app.records.settings.setTakeover({
    atMs: 1_800_000_000_000,
    from: '/srv/old.db',
    keyDigest: '',
    acceptsOldTokens: true,
    report: { kept: [], changed: [], left: [] },
  })

test('requests that anybody can send are listed after a takeover, or beside one with a valid token', async () => {
  for (const prove of [setTakeover, sendKnown]) {
    const app = await startApp({ files, user: admin })
    const guest = { token: null, headers: { 'user-agent': 'Chosen/1' } }
    await app.fetch('/api/commands/x', guest)
    await app.fetch('/api/renew', { ...guest, method: 'PROPFIND' })
    expect(await reportOf(app)).toEqual({ takeover: null, requests: [] })
    await prove(app)
    expect((await summaryOf(app)).filter((text) => text.includes('Chosen'))).toEqual([
      'login-method: PROPFIND /api/renew by Chosen/1, 1',
      'removed-route: GET /api/commands/* by Chosen/1, 1',
    ])
  }
})

test('the report has its notes, and only the steps that are not done', async () => {
  const app = await startApp({
    user: admin,
    users: { ben: { isDisabled: true }, kim: { passwordHash: '*' }, dis: { isDisabled: true } },
    settings: { authMethod: 'proxy', commands: { after_upload: ['a', 'b'] } },
    config: { disableExec: true, trustedProxies: privateRanges },
  })
  expect(await reportOf(app)).toEqual({ takeover: null, requests: [] })
  const { records } = app
  const ben = (await records.users.findByName('ben'))!
  const user = { id: ben.id, name: 'Ben of old' }
  await records.settings.setTakeover({
    atMs: 1_800_000_000_000,
    from: '/srv/old.db',
    keyDigest: '',
    acceptsOldTokens: true,
    report: {
      kept: [{ text: '3 users' }],
      changed: [{ text: 'disabled', user, isDisabledAccount: true }],
      left: [{ text: 'gone', user: { id: 99, name: 'gone' } }],
    },
  })
  const stepsNow = async () =>
    (await reportOf(app)).takeover?.steps.map(({ kind, user: name, count }) => `${kind} ${name} ${count}`)
  const { takeover } = await reportOf(app)
  expect(takeover).toMatchObject({
    time: '2027-01-15T08:00:00.000Z',
    from: '/srv/old.db',
    kept: [{ text: '3 users', user: '', userId: null }],
    changed: [{ text: 'disabled', user: 'Ben of old', userId: ben.id }],
    left: [{ text: 'gone', user: 'gone', userId: null }],
  })
  expect(await stepsNow()).toEqual([
    'check-account ben 0',
    'set-password kim 0',
    'name-proxy  0',
    'turn-on-hooks  2',
  ])
  await records.settings.change({ commands: {} })
  await records.users.update((await records.users.findByName('kim'))!.id, { commands: ['ls'] })
  expect((await stepsNow())?.at(-1)).toBe('turn-on-commands  0')
  await records.users.update(ben.id, { isDisabled: false })
  await records.settings.change({ authMethod: 'json', commands: {} })
  await records.users.remove((await records.users.findByName('kim'))!.id)
  expect(await stepsNow()).toEqual([])
  // The administrator has enabled the account once, so this is another reason.
  await records.users.update(ben.id, { isDisabled: true })
  expect(await stepsNow()).toEqual([])
})

test('only administrators see the report and clear the list', async () => {
  const app = await startApp({ users: { ada: admin } })
  for (const name of ['takeover.get', 'takeover.clear'] as const) {
    expect((await app.call(name)).status).toBe(403)
    const guest = name === 'takeover.get' ? '/api/takeover' : '/api/takeover/requests'
    const method = name === 'takeover.get' ? 'GET' : 'DELETE'
    expect((await app.fetch(guest, { method, token: null })).status).toBe(401)
    expect((await (await app.signIn('ada')).call(name)).status).toBe(200)
  }
})
