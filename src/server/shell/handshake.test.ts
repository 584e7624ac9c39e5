import { once } from 'node:events'
import { expect, test } from 'vitest'
import { dialCommand, openCommand, runCommandLine } from '../../../test/kit/command-socket.ts'
import { startApp, type TestApp, type SignedInUser } from '../../../test/kit/start-app.ts'

/** Opens a command socket. Returns the first line of the response, or the status of a refused handshake. */
async function handshakeOutcome(
  app: TestApp,
  person: Pick<SignedInUser, 'token'> | null,
  options: Parameters<typeof dialCommand>[2],
): Promise<number | string | undefined> {
  const opened = await dialCommand(app, person, options)
  if (typeof opened === 'number') return opened
  opened.socket.send('ls')
  return (await opened.ended).lines[0]
}

const notAllowed = 'Command not allowed.'
const foreignOrigin = { origin: 'http://evil.example' }

async function ticketFor(app: TestApp, kind: string, path: string): Promise<string> {
  const reply = await app.call('tickets.create', { json: { path, kind } })
  return `?auth=${await reply.text()}`
}

test('the handshake accepts a token in the header, the query or a cookie', async () => {
  const app = await startApp({ files: { docs: {} } })
  const query = `?auth=${app.token}`
  const cookie = { cookie: `auth=${app.token}` }
  expect(await handshakeOutcome(app, app, {})).toBe(notAllowed)
  expect(await handshakeOutcome(app, null, { query })).toBe(notAllowed)
  expect(await handshakeOutcome(app, null, { headers: cookie })).toBe(notAllowed)
  expect(await handshakeOutcome(app, null, { headers: { ...cookie, origin: app.url } })).toBe(notAllowed)
  expect(await handshakeOutcome(app, app, { query: '?auth=a.b.c' })).toBe(notAllowed)
  expect(await handshakeOutcome(app, null, {})).toBe(401)
  expect(await handshakeOutcome(app, { token: 'a.b.c' }, {})).toBe(401)
  expect(await handshakeOutcome(app, null, { query: '?auth=a.b.c' })).toBe(401)
})

test('the credentials are checked first, then the origin', async () => {
  const app = await startApp()
  expect(await handshakeOutcome(app, app, { headers: foreignOrigin })).toBe(403)
  expect(await handshakeOutcome(app, null, { query: `?auth=${app.token}`, headers: foreignOrigin })).toBe(403)
  expect(await handshakeOutcome(app, app, { headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
  expect(await handshakeOutcome(app, null, { headers: foreignOrigin })).toBe(401)
  const trustingApp = await startApp({ config: { trustedOrigins: ['http://evil.example'] } })
  expect(await handshakeOutcome(trustingApp, trustingApp, { headers: foreignOrigin })).toBe(notAllowed)
})

test('a ticket opens one socket, at its path', async () => {
  const app = await startApp({ files: { docs: {} } })
  expect(
    await handshakeOutcome(app, null, { path: '/', query: await ticketFor(app, 'command', '/docs') }),
  ).toBe(401)
  expect(
    await handshakeOutcome(app, null, { path: '/docs', query: await ticketFor(app, 'raw', '/docs') }),
  ).toBe(401)
  const query = await ticketFor(app, 'command', '/docs')
  expect(await handshakeOutcome(app, null, { path: '/docs', query })).toBe(notAllowed)
  expect(await handshakeOutcome(app, null, { path: '/docs', query })).toBe(401)
})

test('--disableTokenInUrl refuses tokens and tickets in the query', async () => {
  const app = await startApp({ config: { disableTokenInUrl: true } })
  expect(await handshakeOutcome(app, null, { query: `?auth=${app.token}` })).toBe(401)
  expect(await handshakeOutcome(app, null, { query: await ticketFor(app, 'command', '/') })).toBe(401)
})

test('an ended session opens no socket', async () => {
  const app = await startApp()
  await app.call('sessions.logout')
  expect(await handshakeOutcome(app, app, {})).toBe(401)
})

test('a user may have three sockets, and closing one of them allows another socket', async () => {
  const app = await startApp({ users: { bea: {} } })
  const open = [await openCommand(app, app), await openCommand(app, app), await openCommand(app, app)]
  expect(await handshakeOutcome(app, app, {})).toBe(429)
  expect(await handshakeOutcome(app, await app.signIn('bea'), {})).toBe(notAllowed)
  const closed = once(open[0]!.socket, 'close')
  open[0]!.socket.terminate()
  await closed
  await expect.poll(() => handshakeOutcome(app, app, {})).toBe(notAllowed)
})

test('a request without an upgrade is 400, and other URLs are 404', async () => {
  const app = await startApp()
  const reply = await app.fetch('/api/command/docs')
  expect([reply.status, await reply.text()]).toEqual([400, '400 Bad Request (a socket is expected)\n'])
  expect((await app.fetch('/api/command/docs', { token: null })).status).toBe(401)
  expect((await app.fetch('/api/command')).status).toBe(400)
  expect((await app.fetch('/api/commandfoo')).status).toBe(404)
})

test('the response for a folder without access is the same as for a missing folder', async () => {
  const rules = [{ regex: false, allow: false, path: '/hidden', regexp: null }]
  const app = await startApp({ files: { hidden: {}, docs: {} }, settings: { rules } })
  for (const path of ['/hidden', '/none', '/docs'])
    expect(await runCommandLine(app, app, { path, line: 'ls' })).toMatchObject({
      lines: [notAllowed],
      reason: 'commands-off',
    })
})
