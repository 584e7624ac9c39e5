import { expect, inject, onTestFinished, test } from 'vitest'
import { isDatabaseAddress } from '../../src/shared/domain/database-address.ts'
import { queryRows, ownSchema } from '../kit/database.ts'
import { startRelay } from '../kit/relay.ts'
import {
  ada,
  ann,
  runServer,
  type Person,
  type RunningServer,
  type ServerOptions,
} from '../kit/run-server.ts'

async function start(wish: ServerOptions): Promise<RunningServer> {
  const server = await runServer(wish)
  onTestFinished(() => server.remove())
  return server
}

/** Starts two servers on the same database and the same folder. */
async function twoServers() {
  const database = await ownSchema()
  const one = await start({ database, people: [ada, ann], files: { 'a.txt': 'A' } })
  const two = await start({ database, isSetUpElsewhere: true, folder: one.folder })
  return { one, two, database }
}

const logIn = async ({ url }: RunningServer, { name, password }: Pick<Person, 'name' | 'password'>) => {
  const body = JSON.stringify({ username: name, password, recaptcha: '' })
  const reply = await fetch(`${url}/api/login`, { method: 'POST', body })
  return { status: reply.status, token: await reply.text() }
}

const askAs = (token: string, { url }: RunningServer, address: string, init: RequestInit = {}) =>
  fetch(url + address, { ...init, headers: { 'x-auth': token } })

const statusOf = async (asking: Promise<Response>) => (await asking).status

test('people, shares, settings and sessions are there after a restart', async () => {
  const database = await ownSchema()
  const server = await start({ database, files: { 'a.txt': 'A' } })
  const { token } = await logIn(server, ada)
  const share = (await (
    await askAs(token, server, '/api/share/a.txt', { method: 'POST', body: '{}' })
  ).json()) as { readonly hash: string }
  const body = JSON.stringify({ signup: true })
  expect(await statusOf(askAs(token, server, '/api/settings', { method: 'PUT', body }))).toBe(200)
  const ended = (await logIn(server, ada)).token
  expect(await statusOf(askAs(ended, server, '/api/logout', { method: 'POST' }))).toBe(200)
  expect(await server.stop()).toBe(0)
  await server.start()
  const people = (await (await askAs(token, server, '/api/users')).json()) as { username: string }[]
  expect(people.map(({ username }) => username)).toEqual(['ada', 'ann', 'bea'])
  expect(await (await fetch(`${server.url}/api/public/dl/${share.hash}`)).text()).toBe('A')
  expect(((await (await askAs(token, server, '/api/settings')).json()) as { signup: boolean }).signup).toBe(
    true,
  )
  expect(await statusOf(askAs(ended, server, '/api/users'))).toBe(401)
})

test('what one of two servers decides the other knows at the next request', async () => {
  const { one, two } = await twoServers()
  const { token } = await logIn(one, ann)
  expect(await statusOf(askAs(token, two, '/api/resources/'))).toBe(200)
  const admin = (await logIn(two, ada)).token
  const settings = JSON.stringify({ rules: [{ regex: false, allow: false, path: '/a.txt' }] })
  await askAs(admin, two, '/api/settings', { method: 'PUT', body: settings })
  expect(await statusOf(askAs(token, one, '/api/resources/a.txt'))).toBe(403)
  expect(await statusOf(askAs(token, one, '/api/logout', { method: 'POST' }))).toBe(200)
  expect(await statusOf(askAs(token, two, '/api/resources/'))).toBe(401)
  const removed = await logIn(one, ann)
  expect(await statusOf(askAs(admin, two, '/api/users/2', { method: 'DELETE' }))).toBe(200)
  expect(await statusOf(askAs(removed.token, one, '/api/resources/'))).toBe(401)
})

test('two first starts at once on an empty database make one installation', async () => {
  const database = await ownSchema()
  const wish = { database, isSetUpElsewhere: true } as const
  const servers = await Promise.all([start(wish), start(wish)])
  const passwords = servers.flatMap((server) => /generated password: (\S+)/.exec(server.output())?.[1] ?? [])
  expect(passwords).toHaveLength(1)
  const { token } = await logIn(servers[0], { name: 'admin', password: passwords[0] ?? '' })
  expect(await statusOf(askAs(token, servers[1], '/api/users'))).toBe(200)
})

test('administrators who remove each other over two servers leave one', async () => {
  const { one, two } = await twoServers()
  const eve = { name: 'eve', password: 'eve has a long password' }
  await one.cli('users', 'add', eve.name, eve.password, '--perm.admin')
  const [asAda, asEve] = [(await logIn(one, ada)).token, (await logIn(two, eve)).token]
  const responses = await Promise.all([
    statusOf(askAs(asAda, one, '/api/users/3', { method: 'DELETE' })),
    statusOf(askAs(asEve, two, '/api/users/1', { method: 'DELETE' })),
  ])
  expect(responses.filter((status) => status === 200)).toHaveLength(1)
})

test('without the database everything is 503, and goes on with it', async () => {
  const relay = await startRelay(inject('postgres'))
  onTestFinished(() => relay.close())
  const database = (await ownSchema()).replace(/host=[^&]*/, `host=127.0.0.1&port=${relay.port}`)
  expect(isDatabaseAddress(database)).toBe(true)
  const server = await start({ database, people: [ann], files: { 'a.txt': 'A' } })
  const { token } = await logIn(server, ann)
  const statuses = async () =>
    Promise.all([
      statusOf(fetch(`${server.url}/health`)),
      statusOf(askAs(token, server, '/api/resources/')),
      logIn(server, ann).then(({ status }) => status),
      statusOf(fetch(`${server.url}/login`)),
    ])
  expect(await statuses()).toEqual([200, 200, 200, 200])
  relay.cut()
  expect(await statuses()).toEqual([503, 503, 503, 200])
  const refused = await askAs(token, server, '/api/resources/')
  expect([refused.headers.get('x-error'), await refused.text()]).toEqual([
    'unavailable',
    '503 Service Unavailable\n',
  ])
  relay.mend()
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect(server.output()).not.toContain('fatal')
})

test('a server whose connections the database ended goes on with others', async () => {
  const database = `${await ownSchema()}&application_name=marked`
  const server = await start({ database, people: [ann] })
  const { token } = await logIn(server, ann)
  const ended = await queryRows(
    database.replace('marked', 'other'),
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'marked'",
  )
  expect(ended.length).toBeGreaterThan(0)
  expect(await statusOf(askAs(token, server, '/api/resources/'))).toBe(200)
})
