import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'
import { signToken } from '../auth/tokens.ts'

const hourMs = 3_600_000
const header = { 'x-forwarded-user': 'ann' }

/** Starts a server where a proxy logs users in and logout leads to the proxy's own page. */
async function open(options: TestAppOptions = {}) {
  const app = await startApp({ users: { bea: {} }, ...options })
  await app.records.settings.setSignIn({ recaptcha: null, header: 'X-Forwarded-User', command: '' })
  await app.records.settings.change({
    authMethod: 'proxy',
    logoutPage: '/outpost/sign_out',
    ...options.settings,
  })
  return app
}

/** Returns a token of a session that Ann opened three hours ago and has not used since. */
async function oldToken(app: TestApp, jti = 'j'): Promise<string> {
  const issuedAtMs = Date.now() - 3 * hourMs
  const expiresAtMs = issuedAtMs + 2 * hourMs
  await app.records.sessions.add({
    id: `old ${jti}`,
    userId: app.user.id,
    createdAtMs: issuedAtMs,
    seenAtMs: issuedAtMs,
    idleUntilMs: expiresAtMs,
    endsAtMs: issuedAtMs + 24 * hourMs,
    agent: '',
    address: '',
    cookieDigest: `cookie ${jti}`,
    token: { jtiDigest: createHash('sha256').update(jti).digest('base64url'), expiresAtMs },
  })
  const key = (await app.records.settings.key()) ?? new Uint8Array()
  return signToken(key, { user: app.user, jti, issuedAtMs, expiresAtMs })
}

const ask = (app: TestApp, token: string, headers: Readonly<Record<string, string>> = header) =>
  app.fetch('/api/resources/', { token, headers })

test('2.7: an expired token counts while the proxy names its user, and should be renewed', async () => {
  const app = await open()
  const token = await oldToken(app)
  const reply = await ask(app, token)
  expect([reply.status, reply.headers.get('x-renew-token')]).toEqual([200, 'true'])
  const renewed = await app.fetch('/api/renew', { method: 'POST', token, headers: header })
  expect((await ask(app, await renewed.text(), {})).status).toBe(200)
})

test.each<readonly [string, Readonly<Record<string, string>>]>([
  ['without the header', {}],
  ['with the header naming another user', { 'x-forwarded-user': 'bea' }],
  ['with the header naming an unknown user', { 'x-forwarded-user': 'eve' }],
  ['with the name in another header', { 'x-remote-user': 'ann' }],
])('2.7: an expired token does not count %s', async (_case, headers) => {
  const app = await open()
  expect((await ask(app, await oldToken(app), headers)).status).toBe(401)
  expect(await app.records.users.list()).toHaveLength(2)
})

test.each<readonly [string, TestAppOptions]>([
  ['the logout page is our own', { settings: { logoutPage: '/login' } }],
  ['people log in by password', { settings: { authMethod: 'json' } }],
  ['the peer is no trusted proxy', { config: { trustedProxies: ['192.0.2.1'] } }],
])('2.7: an expired token does not count where %s', async (_case, options) => {
  const app = await open(options)
  expect((await ask(app, await oldToken(app))).status).toBe(401)
})

test('a session that was ended stays ended, whatever the proxy sends', async () => {
  const app = await open()
  const token = await oldToken(app)
  await app.records.sessions.end('old j')
  expect((await ask(app, token)).status).toBe(401)
})

test('a disabled user and a token with a foreign signature are refused', async () => {
  const app = await open()
  const token = await oldToken(app)
  const forged = token.slice(0, -4) + (token.endsWith('AAAA') ? 'BBBB' : 'AAAA')
  expect((await ask(app, forged)).status).toBe(401)
  await app.records.users.update(app.user.id, { isDisabled: true })
  expect((await ask(app, token)).status).toBe(401)
})
