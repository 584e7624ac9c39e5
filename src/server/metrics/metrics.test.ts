import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import { requestAsGuest, share } from '../../../test/kit/share.ts'
import { openMetricsText } from './open-metrics.ts'

const token = 'a-token-of-16-signs'

const read = (app: TestApp, authorization?: string) =>
  app.fetch('/metrics', {
    token: null,
    ...(authorization !== undefined && { headers: { authorization } }),
  })

/** Returns the values of the samples whose names and labels begin with a text. */
async function valuesOf(app: TestApp, start: string): Promise<Record<string, number>> {
  const text = await (await read(app, `Bearer ${token}`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(start))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

test('metrics need the token, and a stranger sees no difference to a path that does not exist', async () => {
  const app = await startApp({ config: { metricsToken: token } })
  const off = await startApp({})
  const known = await read(app, `Bearer ${token}`)
  expect([known.status, known.headers.get('content-type')]).toEqual([
    200,
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ])
  const responses = [
    await read(app),
    await read(app, 'Bearer another-token-of-16'),
    await read(app, `Basic ${token}`),
    await read(app, token),
    await read(off, `Bearer ${token}`),
    await read(off, 'Bearer '),
    await app.fetch(`/metrics?token=${token}`, { token: null }),
    await app.fetch(`/metrics`, { headers: { 'x-auth': token } }),
  ]
  const missing = await app.call('resources.get', { path: '/none' })
  const text = await missing.text()
  for (const response of responses) expect([response.status, await response.text()]).toEqual([404, text])
})

test('metrics are valid OpenMetrics and name neither people nor paths', async () => {
  const app = await startApp({ files: { 'secret-plan.txt': 'x' }, config: { metricsToken: token } })
  const { hash } = await share(app, '/secret-plan.txt')
  await requestAsGuest(app, 'dl', hash)
  await app.call('resources.get', { path: '/secret-plan.txt' })
  const text = await (await read(app, `Bearer ${token}`)).text()
  const line =
    /^(# (TYPE|UNIT|HELP) [a-z_]+ .+|# EOF|[a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? -?[\d.e+-]+)$/
  const lines = text.split('\n')
  expect(lines.slice(0, -1).filter((each) => !line.test(each))).toEqual([])
  expect(lines.slice(-2)).toEqual(['# EOF', ''])
  for (const word of ['secret', 'plan', hash, app.user.username]) expect(text).not.toContain(word)
})

test('requests are counted by route and status, with the time that they took', async () => {
  const app = await startApp({ files: { 'a.txt': 'x' }, config: { metricsToken: token } })
  await app.call('resources.get', { path: '/a.txt' })
  await app.call('resources.get', { path: '/a.txt' })
  await app.call('resources.get', { path: '/none' })
  await app.call('health.get')
  const requests = () => valuesOf(app, 'stowage_http_requests_total{route="resources.get"')
  await expect.poll(requests).toEqual({
    'stowage_http_requests_total{route="resources.get",status="2xx"}': 2,
    'stowage_http_requests_total{route="resources.get",status="4xx"}': 1,
  })
  const durations = await valuesOf(app, 'stowage_http_request_duration_seconds_')
  const name = 'stowage_http_request_duration_seconds'
  expect(durations[`${name}_count{route="resources.get"}`]).toBe(3)
  expect(durations[`${name}_bucket{route="resources.get",le="+Inf"}`]).toBe(3)
  expect(durations[`${name}_sum{route="resources.get"}`]).toBeGreaterThan(0)
  for (const route of ['health.get', 'metrics.get'])
    expect(durations[`${name}_count{route="${route}"}`]).toBeUndefined()
})

test('the bytes of bodies are counted by their direction, with no difference between small and large ones', async () => {
  const app = await startApp({ config: { metricsToken: token } })
  const read = async () => Object.values(await valuesOf(app, 'stowage_http_bytes_total{direction="'))
  const [receivedBefore = 0, sentBefore = 0] = await read()
  let sent = 0
  for (const size of [5, 3_000_000]) {
    const path = `/${size}.bin`
    const upload = await app.call('resources.create', { path, body: 'x'.repeat(size) })
    const download = await app.call('raw.get', { path })
    sent += (await upload.arrayBuffer()).byteLength + (await download.arrayBuffer()).byteLength
  }
  await app.fetch('/api/raw/5.bin', { method: 'HEAD' })
  await app.call('health.get')
  const login = JSON.stringify({ username: 'nobody', password: 'wrong' })
  const refusal = await app.fetch('/api/login', { method: 'POST', body: login, token: null })
  sent += (await refusal.arrayBuffer()).byteLength
  const expected = [receivedBefore + 3_000_005 + login.length, sentBefore + sent]
  await expect.poll(read).toEqual(expected)
})

test('sessions, memory and the served disk are reported', async () => {
  const app = await startApp({ users: { bob: {} }, config: { metricsToken: token } })
  expect(await valuesOf(app, 'stowage_sessions')).toEqual({ stowage_sessions: 1 })
  const bob = await app.signIn('bob')
  expect(await valuesOf(app, 'stowage_sessions')).toEqual({ stowage_sessions: 2 })
  await bob.call('sessions.logout')
  expect(await valuesOf(app, 'stowage_sessions')).toEqual({ stowage_sessions: 1 })
  const disk = await valuesOf(app, 'stowage_disk_bytes')
  const [total = 0, used = 0] = ['total', 'used'].map((kind) => disk[`stowage_disk_bytes{kind="${kind}"}`])
  expect(total).toBeGreaterThan(used)
  expect(used).toBeGreaterThan(0)
  expect(
    (await valuesOf(app, 'process_resident_memory_bytes'))['process_resident_memory_bytes'],
  ).toBeGreaterThan(1e6)
})

test('each sample of one of several processes has its number as a label', () => {
  const samples = [
    { value: 1 },
    { suffix: '_bucket', labels: { route: 'resources.get', le: '+Inf' }, value: 2 },
  ]
  const lines = openMetricsText([{ name: 'a', type: 'histogram', help: 'A.', samples }], { process: '2' })
  expect(lines.split('\n').filter((line) => line.startsWith('a'))).toEqual([
    'a{process="2"} 1',
    'a_bucket{process="2",route="resources.get",le="+Inf"} 2',
  ])
})
