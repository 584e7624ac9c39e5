import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startForwardingProxy, type HeaderRewrite } from '../../../test/kit/forwarding-proxy.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

/** The address that the browser shows. On plain HTTP, browsers do not send `Sec-Fetch-Site`. */
const publicHost = 'files.example:8443'
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
}
type Sent = { readonly path: string; readonly method?: string; readonly body?: string }

/** Sends a request as a browser that shows a page of the origin, and returns the status and the headers of the answer. */
function browse(port: number, { path, method = 'POST', body = '' }: Sent, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const sent = request({
        port,
        host: '127.0.0.1',
        path,
        method,
        headers: { host: publicHost, origin: `http://${publicHost}`, ...headers },
        agent: false,
      })
      sent.once('upgrade', (answer, socket) => {
        socket.destroy()
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: '' })
      })
      sent.once('response', (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += String(chunk)))
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      })
      sent.once('error', reject)
      sent.end(body)
    },
  )
}

/** Returns the statuses of a login, a renewal, a socket opened with a token, and a logout with the cookie alone. */
async function statusesThrough(app: TestApp, port: number, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ username: 'ann', password: app.password })
  const login = await browse(port, { path: '/api/login', body }, headers)
  const token = { ...headers, 'x-auth': app.token }
  const renewal = await browse(port, { path: '/api/renew' }, token)
  const socket = await browse(port, { path: '/api/events', method: 'GET' }, { ...token, ...upgrade })
  const [cookie = ''] = ((login.headers['set-cookie'] as string[] | undefined)?.[0] ?? '').split(';')
  const logout = await browse(port, { path: '/api/logout' }, { ...headers, cookie })
  return [login.status, renewal.status, socket.status, logout.status]
}

const keepHost: HeaderRewrite = (headers) => headers
const withoutPort: HeaderRewrite = (headers) => ({ ...headers, host: 'files.example' })
const upstream: HeaderRewrite = (headers) => ({ ...headers, host: 'upstream:8080' })
const adding =
  (rewrite: HeaderRewrite, added: Record<string, string>): HeaderRewrite =>
  (headers) => ({ ...rewrite(headers), ...added })

test.each<[string, HeaderRewrite, number[]]>([
  ['Host $http_host', keepHost, [200, 200, 101, 200]],
  ['Host $host', withoutPort, [200, 200, 403, 401]],
  ['Host $host and a port', adding(withoutPort, { 'x-forwarded-port': '8443' }), [200, 200, 101, 200]],
  ['Host $host and a host', adding(withoutPort, { 'x-forwarded-host': publicHost }), [200, 200, 101, 200]],
  ['a forwarded host', adding(upstream, { 'x-forwarded-host': publicHost }), [200, 200, 101, 200]],
  ['a bare proxy_pass', upstream, [403, 403, 403, 403]],
])('behind a trusted proxy with %s', async (_proxy, rewrite, expected) => {
  const app = await startApp()
  const port = await startForwardingProxy(app.url, rewrite)
  expect(await statusesThrough(app, port)).toEqual(expected)
  const evil = { origin: 'http://evil.example' }
  expect(await statusesThrough(app, port, evil)).toEqual([403, 403, 403, 403])
  const otherPort = { origin: 'http://files.example:3000' }
  expect((await statusesThrough(app, port, otherPort)).slice(2)).toEqual([
    403,
    expect.not.stringMatching('200'),
  ])
})

test('the refusal of a page whose address no header names tells both addresses and the remedies', async () => {
  const app = await startApp({ config: { trustedProxies: [] } })
  const port = await startForwardingProxy(app.url, adding(upstream, { 'x-forwarded-host': publicHost }))
  const refused = await browse(port, { path: '/api/login', body: '{}' }, {})
  expect([refused.status, refused.text]).toEqual([403, '403 Forbidden\n'])
  expect(refused.headers).toMatchObject({ 'x-error': 'foreign-origin', 'x-received-host': 'upstream:8080' })
  expect(app.lines.at(-1)).toContain(
    'foreign origin, Origin: http://files.example:8443; the request arrived for upstream:8080; ' +
      'if http://files.example:8443 is the address of this server in the browser, let the proxy pass the address on ' +
      '(nginx: proxy_set_header Host $http_host;), trust the proxy with --auth.trustedProxies 127.0.0.1, ' +
      'or start with --trustedOrigins http://files.example:8443',
  )
  const sibling = { origin: 'http://dash.files.example', 'sec-fetch-site': 'same-site' }
  await browse(port, { path: '/api/login', body: '{}' }, sibling)
  expect(app.lines.at(-1)).toMatch(
    /same-site, Origin: \S+; if that page may .*--trustedOrigins http:\/\/dash/,
  )
})

test('a trusted origin counts for requests of the same site', async () => {
  const app = await startApp({ config: { trustedOrigins: ['http://dash.files.example'] } })
  const port = await startForwardingProxy(app.url, upstream)
  const headers = { origin: 'http://dash.files.example', 'sec-fetch-site': 'same-site' }
  expect(await statusesThrough(app, port, headers)).toEqual([200, 200, 101, 200])
})

test('who sends X-Forwarded-For without being trusted is logged once', async () => {
  const app = await startApp({ config: { trustedProxies: ['192.0.2.1'] } })
  const port = await startForwardingProxy(app.url, adding(keepHost, { 'x-forwarded-for': '198.51.100.7' }))
  for (const path of ['/', '/health', '/api/login']) await browse(port, { path }, {})
  const lines = app.lines.filter((line) => line.includes('no trusted proxy'))
  expect(lines).toEqual([expect.stringContaining('start with --auth.trustedProxies 127.0.0.1.')])
})

test('the page may be shown in frames of the pages that the option names', async () => {
  const app = await startApp({ client: true, config: { frameAncestors: ["'self'", 'http://dash.example'] } })
  const { headers } = await app.fetch('/login', { token: null })
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self' http://dash.example")
  expect(headers.get('x-frame-options')).toBe(null)
  const plain = await (await startApp({ client: true })).fetch('/login', { token: null })
  expect(plain.headers.get('x-frame-options')).toBe('DENY')
})
