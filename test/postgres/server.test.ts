import { expect, inject, onTestFinished, test } from 'vitest'
import { isDatabaseUrl } from '../../src/shared/domain/database-url.ts'
import { queryRows, createSchema } from '../kit/database.ts'
import { startRelay } from '../kit/relay.ts'
import {
  ada,
  ann,
  runServer,
  type TestUser,
  type RunningServer,
  type ServerOptions,
} from '../kit/run-server.ts'
import { expectSharedLimits } from '../kit/shared-limits.ts'

async function start(options: ServerOptions): Promise<RunningServer> {
  const server = await runServer(options)
  onTestFinished(() => server.remove())
  return server
}

/** Starts two servers on the same database and the same folder. */
async function twoServers() {
  const database = await createSchema()
  const firstServer = await start({ database, people: [ada, ann], files: { 'a.txt': 'A' } })
  const secondServer = await start({ database, isSetUpElsewhere: true, folder: firstServer.folder })
  return { firstServer, secondServer, database }
}

const logIn = async ({ url }: RunningServer, { name, password }: Pick<TestUser, 'name' | 'password'>) => {
  const body = JSON.stringify({ username: name, password, recaptcha: '' })
  const response = await fetch(`${url}/api/login`, { method: 'POST', body })
  return { status: response.status, token: await response.text() }
}

const fetchAs = (token: string, { url }: RunningServer, address: string, init: RequestInit = {}) =>
  fetch(url + address, { ...init, headers: { 'x-auth': token } })

const statusOf = async (response: Promise<Response>) => (await response).status

test('users, shares, settings and sessions exist after a restart', async () => {
  const database = await createSchema()
  const server = await start({ database, files: { 'a.txt': 'A' } })
  const { token } = await logIn(server, ada)
  const share = (await (
    await fetchAs(token, server, '/api/share/a.txt', { method: 'POST', body: '{}' })
  ).json()) as { readonly hash: string }
  const body = JSON.stringify({ signup: true })
  expect(await statusOf(fetchAs(token, server, '/api/settings', { method: 'PUT', body }))).toBe(200)
  const ended = (await logIn(server, ada)).token
  expect(await statusOf(fetchAs(ended, server, '/api/logout', { method: 'POST' }))).toBe(200)
  expect(await server.stop()).toBe(0)
  await server.start()
  const people = (await (await fetchAs(token, server, '/api/users')).json()) as { username: string }[]
  expect(people.map(({ username }) => username)).toEqual(['ada', 'ann', 'bea'])
  expect(await (await fetch(`${server.url}/api/public/dl/${share.hash}`)).text()).toBe('A')
  expect(((await (await fetchAs(token, server, '/api/settings')).json()) as { signup: boolean }).signup).toBe(
    true,
  )
  expect(await statusOf(fetchAs(ended, server, '/api/users'))).toBe(401)
})

test('a change on one of two servers applies to the next request on the other server', async () => {
  const { firstServer, secondServer } = await twoServers()
  const { token } = await logIn(firstServer, ann)
  expect(await statusOf(fetchAs(token, secondServer, '/api/resources/'))).toBe(200)
  const admin = (await logIn(secondServer, ada)).token
  const settings = JSON.stringify({ rules: [{ regex: false, allow: false, path: '/a.txt' }] })
  await fetchAs(admin, secondServer, '/api/settings', { method: 'PUT', body: settings })
  expect(await statusOf(fetchAs(token, firstServer, '/api/resources/a.txt'))).toBe(403)
  expect(await statusOf(fetchAs(token, firstServer, '/api/logout', { method: 'POST' }))).toBe(200)
  expect(await statusOf(fetchAs(token, secondServer, '/api/resources/'))).toBe(401)
  const removed = await logIn(firstServer, ann)
  expect(await statusOf(fetchAs(admin, secondServer, '/api/users/2', { method: 'DELETE' }))).toBe(200)
  expect(await statusOf(fetchAs(removed.token, firstServer, '/api/resources/'))).toBe(401)
})

test('two servers accept the tickets of each other, and count failures together', async () => {
  const { firstServer, secondServer } = await twoServers()
  await expectSharedLimits([firstServer, secondServer])
})

test('two concurrent first starts on an empty database create one installation', async () => {
  const database = await createSchema()
  const options = { database, isSetUpElsewhere: true } as const
  const servers = await Promise.all([start(options), start(options)])
  const passwords = servers.flatMap((server) => /generated password: (\S+)/.exec(server.output())?.[1] ?? [])
  expect(passwords).toHaveLength(1)
  const { token } = await logIn(servers[0], { name: 'admin', password: passwords[0] ?? '' })
  expect(await statusOf(fetchAs(token, servers[1], '/api/users'))).toBe(200)
})

test('two administrators who remove each other through two servers leave one administrator', async () => {
  const { firstServer, secondServer } = await twoServers()
  const eve = { name: 'eve', password: 'eve has a long password' }
  await firstServer.cli('users', 'add', eve.name, eve.password, '--perm.admin')
  const [asAda, asEve] = [(await logIn(firstServer, ada)).token, (await logIn(secondServer, eve)).token]
  const responses = await Promise.all([
    statusOf(fetchAs(asAda, firstServer, '/api/users/3', { method: 'DELETE' })),
    statusOf(fetchAs(asEve, secondServer, '/api/users/1', { method: 'DELETE' })),
  ])
  expect(responses.filter((status) => status === 200)).toHaveLength(1)
})

test('without the database all requests that need it get 503, and they succeed when it is back', async () => {
  const relay = await startRelay(inject('postgres'))
  onTestFinished(() => relay.close())
  const database = (await createSchema()).replace(/host=[^&]*/, `host=127.0.0.1&port=${relay.port}`)
  expect(isDatabaseUrl(database)).toBe(true)
  const server = await start({ database, people: [ann], files: { 'a.txt': 'A' } })
  const { token } = await logIn(server, ann)
  const statuses = async () =>
    Promise.all([
      statusOf(fetch(`${server.url}/health`)),
      statusOf(fetchAs(token, server, '/api/resources/')),
      logIn(server, ann).then(({ status }) => status),
      statusOf(fetch(`${server.url}/login`)),
    ])
  expect(await statuses()).toEqual([200, 200, 200, 200])
  relay.cut()
  expect(await statuses()).toEqual([503, 503, 503, 200])
  const refused = await fetchAs(token, server, '/api/resources/')
  expect([refused.headers.get('x-error'), await refused.text()]).toEqual([
    'unavailable',
    '503 Service Unavailable\n',
  ])
  relay.restore()
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect(server.output()).not.toContain('fatal')
})

test('a server whose database connections were ended continues with new connections', async () => {
  const database = `${await createSchema()}&application_name=marked`
  const server = await start({ database, people: [ann] })
  const { token } = await logIn(server, ann)
  const ended = await queryRows(
    database.replace('marked', 'other'),
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'marked'",
  )
  expect(ended.length).toBeGreaterThan(0)
  // A request that takes an ended connection before its end has been noticed is refused with status 503.
  await expect.poll(() => statusOf(fetchAs(token, server, '/api/resources/'))).toBe(200)
})
