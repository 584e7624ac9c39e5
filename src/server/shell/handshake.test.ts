import { once } from 'node:events'
import { expect, test } from 'vitest'
import { dialCommand, openCommand, runCommandLine } from '../../../test/kit/command-socket.ts'
import { startApp, type App, type Person } from '../../../test/kit/start-app.ts'

/** Whoever may come in is told that nothing is run here; a handshake that is refused has a status. */
async function outcome(
  app: App,
  person: Pick<Person, 'token'> | null,
  dialling: Parameters<typeof dialCommand>[2],
): Promise<number | string | undefined> {
  const dialled = await dialCommand(app, person, dialling)
  if (typeof dialled === 'number') return dialled
  dialled.socket.send('ls')
  return (await dialled.ended).lines[0]
}

const told = 'Command not allowed.'
const foreign = { origin: 'http://evil.example' }

async function ticketFor(app: App, kind: string, path: string): Promise<string> {
  const reply = await app.call('tickets.create', { json: { path, kind } })
  return `?auth=${await reply.text()}`
}

test('who may dial, and how', async () => {
  const app = await startApp({ files: { docs: {} } })
  const query = `?auth=${app.token}`
  const cookie = { cookie: `auth=${app.token}` }
  expect(await outcome(app, app, {})).toBe(told)
  expect(await outcome(app, null, { query })).toBe(told)
  expect(await outcome(app, null, { headers: cookie })).toBe(told)
  expect(await outcome(app, null, { headers: { ...cookie, origin: app.url } })).toBe(told)
  expect(await outcome(app, app, { query: '?auth=a.b.c' })).toBe(told)
  expect(await outcome(app, null, {})).toBe(401)
  expect(await outcome(app, { token: 'a.b.c' }, {})).toBe(401)
  expect(await outcome(app, null, { query: '?auth=a.b.c' })).toBe(401)
})

test('first who asks, then from where', async () => {
  const app = await startApp()
  expect(await outcome(app, app, { headers: foreign })).toBe(403)
  expect(await outcome(app, null, { query: `?auth=${app.token}`, headers: foreign })).toBe(403)
  expect(await outcome(app, app, { headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
  expect(await outcome(app, null, { headers: foreign })).toBe(401)
  const friendly = await startApp({ config: { trustedOrigins: ['http://evil.example'] } })
  expect(await outcome(friendly, friendly, { headers: foreign })).toBe(told)
})

test('a ticket opens one socket, at its path', async () => {
  const app = await startApp({ files: { docs: {} } })
  expect(await outcome(app, null, { path: '/', query: await ticketFor(app, 'command', '/docs') })).toBe(401)
  expect(await outcome(app, null, { path: '/docs', query: await ticketFor(app, 'raw', '/docs') })).toBe(401)
  const query = await ticketFor(app, 'command', '/docs')
  expect(await outcome(app, null, { path: '/docs', query })).toBe(told)
  expect(await outcome(app, null, { path: '/docs', query })).toBe(401)
})

test('--disableTokenInUrl refuses both', async () => {
  const app = await startApp({ config: { disableTokenInUrl: true } })
  expect(await outcome(app, null, { query: `?auth=${app.token}` })).toBe(401)
  expect(await outcome(app, null, { query: await ticketFor(app, 'command', '/') })).toBe(401)
})

test('a session that was ended opens nothing', async () => {
  const app = await startApp()
  await app.call('sessions.logout')
  expect(await outcome(app, app, {})).toBe(401)
})

test('a person has three sockets; one that is gone frees its place', async () => {
  const app = await startApp({ people: { bea: {} } })
  const open = [await openCommand(app, app), await openCommand(app, app), await openCommand(app, app)]
  expect(await outcome(app, app, {})).toBe(429)
  expect(await outcome(app, await app.signIn('bea'), {})).toBe(told)
  const closed = once(open[0]!.socket, 'close')
  open[0]!.socket.terminate()
  await closed
  await expect.poll(() => outcome(app, app, {})).toBe(told)
})

test('a request that wants no socket is told so; an address beside it is none of ours', async () => {
  const app = await startApp()
  const reply = await app.fetch('/api/command/docs')
  expect([reply.status, await reply.text()]).toEqual([400, '400 Bad Request (a socket is expected)\n'])
  expect((await app.fetch('/api/command/docs', { token: null })).status).toBe(401)
  expect((await app.fetch('/api/command')).status).toBe(400)
  expect((await app.fetch('/api/commandfoo')).status).toBe(404)
})

test('what a person may not know of is answered like what is not there', async () => {
  const rules = [{ regex: false, allow: false, path: '/hidden', regexp: null }]
  const app = await startApp({ files: { hidden: {}, docs: {} }, settings: { rules } })
  for (const path of ['/hidden', '/none', '/docs'])
    expect(await runCommandLine(app, app, { path, line: 'ls' })).toMatchObject({ lines: [told], reason: '' })
})
