import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const knownHosts = [
  '127.0.0.1:8080',
  'LOCALHOST',
  'app.localhost:3000',
  '[::1]:8080',
  '203.0.113.7',
  'nas',
  'stowage:8080',
  'nas.',
  'nas.local',
  'files.home.arpa:81',
  'box.lan',
  'files.internal',
  'files.trusted.example:8443',
]
const unknownHosts = [
  'evil.example',
  'evil.example:8080',
  'evil.example.',
  '127.0.0.1.evil.example',
  'nas.local.evil.example',
  'trusted.example',
  'x@127.0.0.1.evil.example',
  'a b',
]

type RequestHeaders = Readonly<Record<string, string | string[]>>

/** Sends a login with exactly these headers. Returns the code of the failure, or the status. */
const answerOfLogin = (app: TestApp, headers: RequestHeaders): Promise<string> =>
  new Promise<string>((resolve, reject) => {
    const { port } = new URL(app.url)
    const options = { host: '127.0.0.1', port, path: '/api/login', method: 'POST', headers, agent: false }
    const sent = request(options, (answer) => {
      const code = String(answer.headers['x-error'] ?? answer.statusCode)
      answer.resume().once('end', () => resolve(code))
    })
    sent.once('error', reject).end()
  })

test('without a login method, only hosts that no page of another site can use get a token', async () => {
  const app = await startApp({
    user: { perm: { admin: true } },
    settings: { authMethod: 'noauth' },
    config: { trustedOrigins: ['https://files.trusted.example'] },
  })
  const answerTo = (headers: RequestHeaders) => answerOfLogin(app, headers)
  const answersTo = (hosts: readonly string[]) =>
    Promise.all(hosts.map(async (host) => [host, await answerTo({ host })]))
  expect(await answersTo(knownHosts)).toEqual(knownHosts.map((host) => [host, '200']))
  expect(await answersTo(unknownHosts)).toEqual(unknownHosts.map((host) => [host, 'unknown-host']))
  expect(app.lines.at(-1)).toContain('needs no login and does not know the host')
  const forwarded = (...values: string[]) => answerTo({ host: '127.0.0.1', 'x-forwarded-host': values })
  expect([
    await forwarded('files.trusted.example'),
    await forwarded('evil.example'),
    await forwarded('127.0.0.1', 'evil.example'),
    await forwarded('127.0.0.1, evil.example, nas'),
  ]).toEqual(['200', 'unknown-host', 'unknown-host', 'unknown-host'])
})

test('a page that has rebound its name to the port of the server cannot send the login header of a proxy', async () => {
  const app = await startApp({
    settings: { authMethod: 'proxy' },
    config: { trustedOrigins: ['https://files.trusted.example'] },
  })
  await app.records.settings.setSignIn({ recaptcha: null, header: 'X-Forwarded-User', command: '' })
  const { port } = new URL(app.url)
  const answerTo = (headers: RequestHeaders) => answerOfLogin(app, { 'x-forwarded-user': 'ann', ...headers })
  const direct = (host: string, more: RequestHeaders = {}) =>
    answerTo({ host: `${host}:${port}`, origin: `http://${host}:${port}`, ...more })
  const site = { 'sec-fetch-site': 'same-origin' }
  expect([
    await direct('evil.example'),
    await direct('evil.example.', site),
    await direct('evil.example', { ...site, origin: 'null' }),
    await direct('evil.example', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'nas' }),
  ]).toEqual(Array.from({ length: 4 }, () => 'login-failed'))
  expect(app.lines.at(-1)).toContain('the page at http://evil.example')
  expect([
    await direct('127.0.0.1'),
    await direct('nas'),
    await direct('files.trusted.example'),
    // Pages behind a proxy have its address, and programs send no origin.
    await answerTo({ host: 'files.example.com', origin: 'https://files.example.com' }),
    await answerTo({ host: `files.example.com:${port}`, origin: `https://files.example.com:${port}` }),
    await answerTo({ host: 'files.example.com', origin: 'http://files.example.com' }),
    await answerTo({ host: 'files.example.com:1', origin: 'http://files.example.com:1' }),
    await answerTo({ host: `backend.example:${port}`, origin: 'https://files.example.com', ...site }),
    await answerTo({ host: `backend.example:${port}` }),
  ]).toEqual(Array.from({ length: 9 }, () => '200'))
})
