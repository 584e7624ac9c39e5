import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'
import type { DoctorEcho } from '../../shared/contract/doctor.ts'
import { concurrentMeasurements, maxBodyBytes } from './routes.ts'

const admin = { user: { perm: { admin: true } } }

test('a request is described as it arrived, with nothing of its other headers', async () => {
  const app = await startApp({ ...admin, basePath: '/files' })
  const ask = (headers: Readonly<Record<string, string>>) => app.call('doctor.echo', { headers })
  const direct = await ask({})
  const echo = (await direct.json()) as DoctorEcho
  expect(echo).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    host: new URL(app.url).host,
    forwardedHost: '',
    isSecure: false,
    isProxyTrusted: true,
    isForwarded: false,
    peer: '',
    hasToken: true,
    fillCharacters: 0,
  })
  expect(direct.headers.get('location')).toBe('/files/api/doctor/echo')
  const proxied = (await (
    await ask({
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a.example',
    })
  ).json()) as DoctorEcho
  expect(proxied).toMatchObject({ isSecure: true, isForwarded: true, forwardedHost: 'a.example' })
  expect(proxied.id).not.toBe(echo.id)
})

test('a proxy that is not trusted is named', async () => {
  const app = await startApp({ ...admin, config: { trustedProxies: ['10.0.0.1'] } })
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example' }
  const echo = await (await app.call('doctor.echo', { headers })).json()
  expect(echo).toMatchObject({
    isProxyTrusted: false,
    isForwarded: true,
    peer: '127.0.0.1',
    isSecure: false,
    forwardedHost: '',
  })
})

test('a long request line arrives, and a long header is sent back', async () => {
  const app = await startApp(admin)
  const query = { fill: 'x'.repeat(60_000), headerBytes: '12000' }
  const response = await app.call('doctor.echo', { query })
  expect(await response.json()).toMatchObject({ fillCharacters: 60_000 })
  expect(response.headers.get('x-fill')).toHaveLength(12_000)
})

test('a body is counted and thrown away, and one that is too large is refused', async () => {
  const app = await startApp(admin)
  const body = 'x'.repeat(3_000_000)
  const response = await app.call('doctor.receive', { body, query: { pauseMs: '200' } })
  const received = (await response.json()) as { receivedBytes: number; receivingMs: number }
  expect(received.receivedBytes).toBe(3_000_000)
  expect(received.receivingMs).toBeGreaterThanOrEqual(190)
  const headers = { 'content-length': String(maxBodyBytes + 1) }
  expect(await app.rawStatus('POST', '/api/doctor/receive')).toBe(200)
  const refused = app.fetch('/api/doctor/receive', { method: 'POST', headers, body: 'x' })
  expect(
    await refused.then(
      ({ status }) => status,
      () => 'cut off',
    ),
  ).not.toBe(200)
})

test('lines are sent one after the other', async () => {
  const app = await startApp(admin)
  const startMs = performance.now()
  const response = await app.call('doctor.stream', { query: { delayMs: '50', everyMs: '50', lines: '3' } })
  expect(await response.text()).toBe('1\n2\n3\n')
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(140)
})

test('only some measurements run at the same time, and one that has ended makes room', async () => {
  const app = await startApp(admin)
  const controllers = Array.from({ length: concurrentMeasurements }, () => new AbortController())
  onTestFinished(() => controllers.forEach((controller) => controller.abort()))
  const open = (signal: AbortSignal) => app.fetch('/api/doctor/stream?everyMs=1000&lines=20', { signal })
  const first = await Promise.all(controllers.map(({ signal }) => open(signal)))
  expect(first.map(({ status }) => status)).toEqual(Array(concurrentMeasurements).fill(200))
  expect((await app.call('doctor.stream')).status).toBe(429)
  controllers[0]?.abort()
  await expect.poll(async () => (await app.call('doctor.stream')).status).toBe(200)
})

test('the test file is sent as files are, with parts and without compression', async () => {
  const app = await startApp(admin)
  const whole = await app.call('doctor.file', { headers: { 'accept-encoding': 'gzip' } })
  expect([whole.status, whole.headers.get('content-encoding'), whole.headers.get('content-length')]).toEqual([
    200,
    null,
    '65536',
  ])
  const part = await app.call('doctor.file', { headers: { range: 'bytes=8-14' } })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    'bytes 8-14/65536',
    'stowage',
  ])
})

test('the routes import nothing that could open a connection', () => {
  const text = readFileSync(path.join(import.meta.dirname, 'routes.ts'), 'utf8')
  expect(text).not.toMatch(/node:(http|https|net|tls|dns|dgram)|\bfetch\(/)
})
