import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openEvents } from '../../shared/contract/events.ts'
import {
  eventually,
  startHttpServer,
  type HttpServerTestOptions,
} from '../../../test/kit/start-http-server.ts'
import type { ClientSocket } from './socket-route.ts'

/**
 * Starts a server whose socket at `/api/events` echoes the messages it receives, and records how its connections end.
 */
async function startEchoServer(options: HttpServerTestOptions = {}) {
  const open: ClientSocket[] = []
  let closed = 0
  const server = await startHttpServer({
    ...options,
    sockets: [
      {
        endpoint: openEvents,
        connect: ({ caller, socket }) => {
          open.push(socket)
          socket.onMessage((text) => socket.send(`${caller.user.username}: ${text}`))
          socket.onClose(() => (closed += 1))
        },
      },
    ],
  })
  const dial = (headers: Record<string, string>, address = '/api/events') => {
    const client = new WebSocket(`${server.url.replace('http', 'ws')}${address}`, { headers })
    const heard = { texts: [] as string[], code: 0, status: 0, open: false }
    client.on('open', () => (heard.open = true))
    client.on('message', (data: Buffer) => heard.texts.push(data.toString()))
    client.on('close', (code) => (heard.code = code))
    client.on('error', () => undefined)
    client.on('unexpected-response', (_request, response) => {
      heard.status = response.statusCode ?? 0
      response.resume()
    })
    return { client, heard }
  }
  return { ...server, dial, open, closed: () => closed }
}

const token = { 'x-auth': 'x.ann.y' }

test('a socket receives and sends messages', async () => {
  const { dial, closed } = await startEchoServer()
  const { client, heard } = dial(token)
  client.on('open', () => client.send('hello'))
  await eventually(() => heard.texts.length === 1)
  expect(heard.texts).toEqual(['ann: hello'])
  client.close()
  await eventually(() => closed() === 1)
})

test.each([
  ['a token', token, '/api/events', 'open'],
  ['a cookie without an origin', { cookie: 'auth=cookie-of-ann' }, '/api/events', 'open'],
  ['no credentials', {}, '/api/events', 401],
  ['a token of no session', { 'x-auth': 'x.eve.y' }, '/api/events', 401],
  ['another origin, with a token', { ...token, origin: 'http://evil.example' }, '/api/events', 403],
  [
    'another origin, with a cookie',
    { cookie: 'auth=cookie-of-ann', origin: 'http://evil.example' },
    '/api/events',
    403,
  ],
  ['a page of another server', { ...token, 'sec-fetch-site': 'cross-site' }, '/api/events', 403],
  ['an unknown path', token, '/api/eventsfoo', 404],
  ['another endpoint', token, '/health', 404],
  ['a token in the URL', {}, '/api/events?auth=x.ann.y', 401],
])('%s', async (_case, headers, address, outcome) => {
  const { dial, lines } = await startEchoServer()
  const { client, heard } = dial(headers, address)
  await eventually(() => heard.open || heard.status > 0)
  expect(heard.open ? 'open' : heard.status).toBe(outcome)
  expect(lines).toHaveLength(outcome === 'open' ? 0 : 1)
  client.terminate()
})

test('a socket from our own origin may use the cookie', async () => {
  const { dial, url } = await startEchoServer()
  const { client, heard } = dial({ cookie: 'auth=cookie-of-ann', origin: url })
  await eventually(() => heard.open)
  expect(heard.status).toBe(0)
  client.terminate()
})

test('a socket is closed within a second after its session ended', async () => {
  const { dial, endSession, closed } = await startEchoServer()
  const [ann, bea] = [dial(token), dial({ 'x-auth': 'x.bea.y' })]
  await eventually(() => ann.heard.open && bea.heard.open)
  endSession('ann')
  await eventually(() => closed() === 1, 1000)
  expect([ann.heard.code, bea.client.readyState]).toEqual([4401, WebSocket.OPEN])
  bea.client.terminate()
})

test('a message that is too long or not text closes the socket', async () => {
  const { dial } = await startEchoServer()
  const long = dial(token)
  const binary = dial(token)
  long.client.on('open', () => long.client.send('x'.repeat(8193)))
  binary.client.on('open', () => binary.client.send(Buffer.from('x')))
  await eventually(() => long.heard.code !== 0 && binary.heard.code !== 0)
  expect([long.heard.code, binary.heard.code]).toEqual([1009, 1003])
})

test('a socket that does not respond to pings is terminated', async () => {
  const { dial, closed } = await startEchoServer({ limits: { socketIdleMs: 200 } })
  const silent = dial(token)
  const lively = dial(token)
  await eventually(() => silent.heard.open && lively.heard.open)
  silent.client.pause()
  await eventually(() => closed() === 1)
  expect(lively.client.readyState).toBe(WebSocket.OPEN)
  silent.client.terminate()
  lively.client.terminate()
})

test('only a number of messages is read in a second, and none of them is lost', async () => {
  const { dial, open } = await startEchoServer({ limits: { socketMessagesPerSecond: 1000 } })
  const { client, heard } = dial(token)
  await eventually(() => heard.open)
  let received = 0
  // The socket of a client that is too busy to read would be closed for the answers that it has not read.
  open[0]?.onMessage(() => (received += 1))
  // The messages are larger than the buffers of a connection, so that the rest waits at the client.
  for (let n = 0; n < 2200; n += 1) client.send('x'.repeat(8000))
  await eventually(() => received >= 1000)
  expect(client.bufferedAmount).toBeGreaterThan(0)
  await eventually(() => received === 2200)
  client.terminate()
})

test('a socket whose client sends without reading is closed', async () => {
  const { dial, open, closed } = await startEchoServer({ limits: { socketUnreadBytes: 1024 * 1024 } })
  const { client, heard } = dial(token)
  await eventually(() => heard.open)
  client.pause()
  // The buffers of the connection take some megabytes.
  for (let n = 0; n < 20; n += 1) open[0]?.send('x'.repeat(1024 * 1024))
  expect(closed()).toBe(0)
  client.ping()
  await eventually(() => closed() === 1)
  client.terminate()
})

test('the sockets of one user are limited, and a closed socket is no longer counted', async () => {
  const { dial } = await startEchoServer({ limits: { socketsPerUser: 2 } })
  const first = dial(token)
  const second = dial(token)
  await eventually(() => first.heard.open && second.heard.open)
  const third = dial(token)
  const beas = dial({ 'x-auth': 'x.bea.y' })
  await eventually(() => third.heard.status > 0 && beas.heard.open)
  expect(third.heard.status).toBe(429)
  first.client.terminate()
  await eventually(() => first.heard.code !== 0)
  const fourth = dial(token)
  await eventually(() => fourth.heard.open)
  for (const { client } of [second, fourth, beas]) client.terminate()
})

test('an ordinary request to the URL of a socket is refused with a reason', async () => {
  const { fetch } = await startEchoServer()
  const reply = await fetch('/api/events')
  expect([reply.status, await reply.text()]).toEqual([400, '400 Bad Request (a socket is expected)\n'])
})
