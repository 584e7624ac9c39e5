import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'
import { converse, startHttpServer } from '../../../test/kit/start-http-server.ts'
import type { DoctorEcho } from '../../shared/contract/doctor.ts'
import {
  concurrentMeasurements,
  doctorRoutes,
  maxBodyBytes,
  measurementsOfUser,
  type DoctorLimits,
} from './routes.ts'

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
  const { port, host } = new URL(app.url)
  const head = `POST /api/doctor/receive HTTP/1.1\r\nHost: ${host}\r\nX-Auth: ${app.token}\r\n`
  const refused = await converse(Number(port), `${head}Content-Length: ${maxBodyBytes + 1}\r\n\r\n`)
  expect(refused).toMatch(/^HTTP\/1\.1 413 /)
})

/** Starts a server with only the routes of the doctor and other limits. */
const startRoutes = (limits: Partial<DoctorLimits>) =>
  startHttpServer({ routes: doctorRoutes({ basePath: '', nowMs: Date.now, randomBytes, limits }) })

const ofAda = 'Host: a\r\nX-Auth: x.ada.y\r\n'

test('a body without a length is refused when it becomes too large', async () => {
  const server = await startRoutes({ maxBodyBytes: 10 })
  const head = `POST /api/doctor/receive HTTP/1.1\r\n${ofAda}Transfer-Encoding: chunked\r\n\r\n`
  expect(await server.raw(`${head}a\r\n0123456789\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  expect(await server.raw(`${head}b\r\n0123456789x\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
})

test('a body that arrives slowly is given up, and a stream makes room after its time', async () => {
  const server = await startRoutes({ totalMs: 100 })
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let response = ''
  socket.on('data', (bytes) => (response += bytes.toString()))
  socket.write(`POST /api/doctor/receive HTTP/1.1\r\n${ofAda}Content-Length: 1000\r\n\r\nx`)
  const timer = setInterval(() => socket.write('x'), 20)
  onTestFinished(() => clearInterval(timer))
  await expect.poll(() => response).toMatch(/^HTTP\/1\.1 (?!200)\d+ /)
  clearInterval(timer)

  const headers = { 'x-auth': 'x.ada.y' }
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const open = (url: string) => server.fetch(url, { headers, signal: controller.signal })
  for (let number = 0; number < measurementsOfUser; number += 1)
    expect((await open('/api/doctor/stream?everyMs=1000&lines=20')).status).toBe(200)
  await expect.poll(async () => (await open('/api/doctor/stream')).status).toBe(200)
})

test('a page of another server cannot make a browser measure', async () => {
  const app = await startApp(admin)
  const statuses = async (site: string) => {
    const headers = { 'sec-fetch-site': site }
    const stream = await app.call('doctor.stream', { headers })
    const receive = await app.call('doctor.receive', { headers, body: 'x' })
    return [stream.status, receive.status]
  }
  expect(await statuses('same-origin')).toEqual([200, 200])
  for (const site of ['cross-site', 'same-site', 'none']) expect(await statuses(site)).toEqual([403, 403])
})

test('lines are sent one after the other', async () => {
  const app = await startApp(admin)
  const startMs = performance.now()
  const response = await app.call('doctor.stream', { query: { delayMs: '50', everyMs: '50', lines: '3' } })
  expect(await response.text()).toBe('1\n2\n3\n')
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(140)
})

test('only some measurements run at the same time, fewer of one user, and one that has ended makes room', async () => {
  const users = { ada: { perm: { admin: true } }, bea: { perm: { admin: true } } }
  const app = await startApp({ ...admin, users })
  const people = [app, await app.signIn('ada'), await app.signIn('bea')]
  const controllers: AbortController[] = []
  onTestFinished(() => controllers.forEach((controller) => controller.abort()))
  const statusOf = async (person: (typeof people)[number] | undefined) => {
    const controller = new AbortController()
    controllers.push(controller)
    const { signal } = controller
    return (await person?.fetch('/api/doctor/stream?everyMs=1000&lines=20', { signal }))?.status
  }
  for (let number = 0; number < concurrentMeasurements; number += 1)
    expect(await statusOf(people[Math.floor(number / measurementsOfUser)])).toBe(200)
  // The first user has all of its own, and the last one would have the ninth of the server.
  expect([(await app.call('doctor.stream')).status, await statusOf(people[2])]).toEqual([429, 429])
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
