import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { getHealth } from '../../src/shared/contract/health.ts'
import { openEvents } from '../../src/shared/contract/events.ts'
import { createResource } from '../../src/shared/contract/resources.ts'
import { login } from '../../src/shared/contract/sessions.ts'
import { httpLimits } from '../../src/server/http/http-options.ts'
import { done, route } from '../../src/server/http/route.ts'
import { eventually, startHttpServer, type HttpServerTestOptions } from '../kit/start-http-server.ts'
import type { LimitTestCase } from './limit.ts'

const routes = [
  route(getHealth, async () => done),
  route(login, async () => done),
  route(createResource, async ({ bytes }) => {
    for await (const chunk of bytes) if (chunk.length === 0) throw new Error('an empty chunk')
    return done
  }),
]

const get = 'GET /health HTTP/1.1\r\nHost: h\r\n'
const patienceMs = 15_000

function talk(port: number, localAddress = '127.0.0.1') {
  const heard = { text: '', isGone: false, isOpen: false }
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('data', (chunk) => (heard.text += chunk.toString('latin1')))
  socket.on('connect', () => (heard.isOpen = true))
  socket.on('error', () => undefined).once('close', () => (heard.isGone = true))
  return { socket, heard }
}

const statusIn = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)

/**
 * Sends a text on a connection. Returns the status of the response, or 0 when the connection was closed without an
 * answer.
 */
async function statusFor(text: string, wish: HttpServerTestOptions = {}): Promise<number> {
  const { port } = await startHttpServer({ routes, ...wish })
  const { socket, heard } = talk(port)
  socket.write(text)
  await eventually(() => heard.isGone || statusIn(heard.text) > 0, patienceMs)
  socket.destroy()
  return statusIn(heard.text)
}

/** Sends `count` pipelined requests and returns the number of responses. */
async function answersToAll(count: number): Promise<number> {
  const { port } = await startHttpServer({ routes })
  const { socket, heard } = talk(port)
  const countResponses = (): number => heard.text.split('HTTP/1.1 200').length - 1
  socket.write(`${get}\r\n`.repeat(count))
  await eventually(() => heard.isGone || countResponses() === count, patienceMs)
  socket.destroy()
  return countResponses()
}

/** Returns a request whose head has the given size in bytes. Line ends and colons do not count. */
function headOf(sizeBytes: number): string {
  const [start, end] = [`${get}X-Auth: x.ann.y\r\nX-Big: `, '\r\n\r\n']
  return start + 'a'.repeat(sizeBytes - start.length - end.length) + end
}

/**
 * Returns the outcome of a new connection while `count` other connections are open, with at most a hundred connections
 * per address.
 */
async function besideOthers(count: number, from: string, trusted: readonly string[] = []): Promise<number> {
  const { port } = await startHttpServer({ routes, options: { trustedProxies: trusted } })
  const others: ReturnType<typeof talk>[] = []
  // The connections are opened in groups. Connections beyond the backlog of the operating system would appear to be
  // open before the server has accepted them.
  while (others.length < count) {
    const from = `127.0.1.${1 + others.length / 100}`
    const more = Array.from({ length: Math.min(100, count - others.length) }, () => talk(port, from))
    await eventually(() => more.every(({ heard }) => heard.isOpen), patienceMs)
    others.push(...more)
  }
  const { socket, heard } = talk(port, from)
  socket.write(`${get}\r\n`)
  await eventually(() => heard.isGone || statusIn(heard.text) > 0, patienceMs)
  for (const other of [...others, { socket }]) other.socket.destroy()
  return statusIn(heard.text)
}

/**
 * Sends a request, waits, and sends a second request on the same connection if it is still open. Returns the outcome.
 */
async function askedTwice(waits: boolean): Promise<unknown> {
  const { port } = await startHttpServer({
    routes,
    limits: { keepAliveMs: waits ? 50 : httpLimits.keepAliveMs },
  })
  const { socket, heard } = talk(port)
  socket.write(`${get}\r\n`)
  await eventually(() => statusIn(heard.text) > 0)
  const promise = /keep-alive: (.*)\r\n/i.exec(heard.text)?.[1]
  if (waits) await eventually(() => heard.isGone, patienceMs)
  else socket.write(`${get}\r\n`)
  const countResponses = (): number => heard.text.split('HTTP/1.1 200').length - 1
  if (!waits) await eventually(() => countResponses() === 2)
  socket.destroy()
  return waits ? 'closed' : [promise, countResponses()]
}

const loginHead = 'POST /api/login HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\n'
const upload = 'POST /api/resources/a HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n'

/** Uploads a body in pieces of the given size at a fixed interval, and returns the outcome. */
async function uploading(bytesAtOnce: number): Promise<number> {
  const { port } = await startHttpServer({
    routes,
    limits: { receiveIdleMs: 5000, receiveWindowMs: 300, receiveBytesPerSecond: 1000 },
  })
  const { socket, heard } = talk(port)
  let leftBytes = 200_000
  socket.write(`${upload}Content-Length: ${leftBytes}\r\n\r\n`)
  const sending = setInterval(() => {
    const sentBytes = Math.min(leftBytes, bytesAtOnce)
    leftBytes -= sentBytes
    if (socket.writable) socket.write('x'.repeat(sentBytes))
  }, 50)
  await eventually(() => heard.isGone || statusIn(heard.text) > 0, patienceMs)
  clearInterval(sending)
  socket.destroy()
  return statusIn(heard.text)
}

/** Sends a message of the given size on a web socket. Returns how the socket is closed, or the response. */
async function saying(sizeBytes: number): Promise<unknown> {
  const { url } = await startHttpServer({
    sockets: [
      { endpoint: openEvents, connect: ({ socket }) => socket.onMessage((text) => socket.send(text)) },
    ],
  })
  const client = new WebSocket(`${url.replace('http', 'ws')}/api/events`, {
    headers: { 'x-auth': 'x.ann.y' },
    perMessageDeflate: true,
  })
  const heard = { bytes: 0, code: 0 }
  client.on('open', () => client.send('x'.repeat(sizeBytes)))
  client.on('message', (data: Buffer) => (heard.bytes = data.length))
  client.on('close', (code) => (heard.code = code)).on('error', () => undefined)
  await eventually(() => heard.bytes > 0 || heard.code > 0)
  const { extensions } = client
  client.terminate()
  return { ...heard, extensions }
}

export const ofConnections: readonly LimitTestCase[] = [
  {
    limit: 'a request head has 256 kB',
    constants: ['requestHeadBytes'],
    below: () => statusFor(headOf(256 * 1024 - 1)),
    beyond: () => statusFor(headOf(256 * 1024 + 256)),
    says: [200, 431],
  },
  {
    limit: 'a head has 20 s (here: less)',
    constants: ['headersTimeoutMs'],
    below: async () => [httpLimits.headersTimeoutMs, await statusFor(`${get}\r\n`)],
    beyond: () => statusFor(get, { limits: { headersTimeoutMs: 200 } }),
    says: [[20_000, 200], 408],
  },
  {
    limit: 'a connection waits 10 s for its next request (here: less)',
    constants: ['keepAliveMs'],
    below: () => askedTwice(false),
    beyond: () => askedTwice(true),
    says: [['timeout=10', 2], 'closed'],
  },
  {
    limit: 'there are 100 connections of an address',
    constants: ['connectionsPerPeer'],
    below: () => besideOthers(99, '127.0.1.1'),
    beyond: () => besideOthers(100, '127.0.1.1'),
    says: [200, 0],
  },
  {
    limit: 'a connection asks 32 times ahead of an answer',
    constants: ['requestsAhead'],
    below: () => answersToAll(33),
    beyond: () => answersToAll(34),
    says: [33, 0],
  },
  {
    limit: 'a trusted proxy has as many as there are',
    below: () => besideOthers(100, '127.0.1.1', ['127.0.1.1']),
    beyond: () => besideOthers(100, '127.0.1.1', ['127.0.1.2']),
    says: [200, 0],
  },
  {
    limit: 'there are 1000 connections in all',
    constants: ['connections'],
    below: () => besideOthers(999, '127.0.2.1'),
    beyond: () => besideOthers(1000, '127.0.2.1'),
    says: [200, 0],
  },
  {
    limit: 'JSON has 30 s for all of it (here: less)',
    constants: ['jsonTimeoutMs'],
    below: async () => [httpLimits.jsonTimeoutMs, await statusFor(`${loginHead}{"a":1`)],
    beyond: () => statusFor(`${loginHead}{"a":`, { limits: { jsonTimeoutMs: 200 } }),
    says: [[30_000, 200], 400],
  },
  {
    limit: 'an upload brings 8 kB a second on average over 30 s (here: less of both)',
    constants: ['receiveBytesPerSecond', 'receiveWindowMs'],
    below: async () => [
      httpLimits.receiveBytesPerSecond,
      httpLimits.receiveWindowMs,
      await uploading(20_000),
    ],
    beyond: () => uploading(1),
    says: [[8192, 30_000, 200], 400],
  },
  {
    limit: 'an upload may be silent for 60 s (here: less)',
    constants: ['receiveIdleMs'],
    below: async () => [httpLimits.receiveIdleMs, await statusFor(`${upload}Content-Length: 3\r\n\r\nabc`)],
    beyond: () => statusFor(`${upload}Content-Length: 3\r\n\r\nab`, { limits: { receiveIdleMs: 200 } }),
    says: [[60_000, 200], 400],
  },
  {
    limit: 'a message of a socket has 8 kB, and is not compressed',
    constants: ['socketMessageBytes'],
    below: () => saying(8192),
    beyond: () => saying(8193),
    says: [
      { bytes: 8192, code: 0, extensions: '' },
      { bytes: 0, code: 1009, extensions: '' },
    ],
  },
]
