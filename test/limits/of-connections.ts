import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { getHealth } from '../../src/shared/contract/server.ts'
import { openEvents } from '../../src/shared/contract/events.ts'
import { createResource } from '../../src/shared/contract/resources.ts'
import { createTicket } from '../../src/shared/contract/tickets.ts'
import { login } from '../../src/shared/contract/sessions.ts'
import { httpLimits, type HttpLimits } from '../../src/server/http/http-options.ts'
import { done, route } from '../../src/server/http/route.ts'
import { eventually, startHttpServer, type HttpServerTestOptions } from '../kit/start-http-server.ts'
import type { LimitTestCase } from './limit.ts'

const routes = [
  route(getHealth, async () => done),
  route(login, async () => done),
  route(createTicket, async () => done),
  route(createResource, async ({ bytes }) => {
    for await (const chunk of bytes) if (chunk.length === 0) throw new Error('an empty chunk')
    return done
  }),
]

const get = 'GET /health HTTP/1.1\r\nHost: h\r\n'
const patienceMs = 15_000

function openConnection(port: number, localAddress = '127.0.0.1') {
  const received = { text: '', isClosed: false, isOpen: false }
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('data', (chunk) => (received.text += chunk.toString('latin1')))
  socket.on('connect', () => (received.isOpen = true))
  socket.on('error', () => undefined).once('close', () => (received.isClosed = true))
  return { socket, received }
}

const statusIn = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)

/**
 * Sends a string on a connection. Returns the status of the response, or 0 when the connection was closed without a
 * response.
 */
async function statusFor(text: string, options: HttpServerTestOptions = {}): Promise<number> {
  const { port } = await startHttpServer({ routes, ...options })
  const { socket, received } = openConnection(port)
  socket.write(text)
  await eventually(() => received.isClosed || statusIn(received.text) > 0, patienceMs)
  socket.destroy()
  return statusIn(received.text)
}

/**
 * Requests a text of `bytes` and reads only its start, which is more than the buffers of a connection hold. Requests it once more on
 * another connection and returns the status of that response.
 */
async function statusBesideUnreadResponse(bytes: number, limits: Partial<HttpLimits>): Promise<number> {
  const text = 'x'.repeat(bytes)
  const large = route(getHealth, async () => ({ kind: 'text', text }))
  const { port } = await startHttpServer({ routes: [large], limits })
  const connections = [openConnection(port), openConnection(port)]
  let status = 0
  for (const { socket, received } of connections) {
    socket.once('data', () => socket.pause())
    socket.write(`${get}\r\n`)
    await eventually(() => received.isClosed || statusIn(received.text) > 0, patienceMs)
    status = statusIn(received.text)
  }
  for (const { socket } of connections) socket.destroy()
  return status
}

/**
 * Opens a response that holds 1 MB in advance of a client that reads only its start, and requests one more that needs `bytes`. Returns
 * the status of the second one, or 0 when it waits.
 */
async function readBesideUnread(bytes: number, limits: Partial<HttpLimits>) {
  const text = 'x'.repeat(30_000_000)
  const first = route(getHealth, async ({ reading }) => {
    reading.hold(1_000_000)
    return { kind: 'stream', contentType: 'text/plain', chunks: chunksOf(text) }
  })
  const second = route(login, async ({ reading }) => {
    if (!reading.hold(bytes)) await reading.wait(bytes)
    return done
  })
  const { port } = await startHttpServer({ routes: [first, second], limits })
  const [unread, next] = [openConnection(port), openConnection(port)]
  unread.socket.once('data', () => unread.socket.pause())
  unread.socket.write(`${get}\r\n`)
  await eventually(() => statusIn(unread.received.text) === 200, patienceMs)
  next.socket.write('POST /api/login HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}')
  await delay(600)
  const outcome = statusIn(next.received.text)
  for (const { socket } of [unread, next]) socket.destroy()
  return outcome
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  yield text
}

/** Sends `count` pipelined requests and returns the number of responses. */
async function countPipelinedResponses(count: number): Promise<number> {
  const { port } = await startHttpServer({ routes })
  const { socket, received } = openConnection(port)
  const countResponses = (): number => received.text.split('HTTP/1.1 200').length - 1
  socket.write(`${get}\r\n`.repeat(count))
  await eventually(() => received.isClosed || countResponses() === count, patienceMs)
  socket.destroy()
  return countResponses()
}

/** Sends a request, and ahead of its response another one with a head of the given size. Returns the number of responses. */
async function countResponsesWithQueuedHead(sizeBytes: number, limits: Partial<HttpLimits>): Promise<number> {
  const { port } = await startHttpServer({ routes, limits })
  const { socket, received } = openConnection(port)
  const countResponses = (): number => received.text.split('HTTP/1.1 200').length - 1
  socket.write(`${get}\r\n${headOf(sizeBytes)}`)
  await eventually(() => received.isClosed || countResponses() === 2, patienceMs)
  socket.destroy()
  return countResponses()
}

/** The number of times that a request is repeated beside a large one. The server starts a large request every 50 ms. */
const triesBesideLargeRequest = 10

/**
 * Sends a large request that does not end, and then another one several times, because the server may not have read all of
 * the first one yet. Returns the status of the first refusal, or that of the last response.
 */
async function statusBesideLargeRequest(
  [endless, other]: readonly [string, string],
  limits: Partial<HttpLimits>,
): Promise<number> {
  const { port } = await startHttpServer({ routes, limits })
  const first = openConnection(port)
  first.socket.write(endless)
  let status = 0
  for (let tries = 0; tries < triesBesideLargeRequest && status !== 503; tries += 1) {
    const { socket, received } = openConnection(port)
    socket.write(other)
    await eventually(() => received.isClosed || statusIn(received.text) > 0, patienceMs)
    socket.destroy()
    status = statusIn(received.text)
  }
  first.socket.destroy()
  return status
}

/** Returns an upload with a large head, whose body of one byte is missing or present. */
const uploadWithHead = (sizeBytes: number, body: '' | 'x'): string =>
  `${upload}Content-Length: 1\r\nX-Big: ${'a'.repeat(sizeBytes - 100)}\r\n\r\n${body}`

/** Returns a request with a JSON body of the given size, which is complete or lacks its last byte. */
function ticketWithBody(sizeBytes: number, isComplete: boolean): string {
  const start = '{"path":"/a","kind":"raw","more":"'
  const body = `${start}${'x'.repeat(sizeBytes - start.length - 2)}"}`
  const head = `POST /api/ticket HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\nContent-Length: ${sizeBytes}\r\n\r\n`
  return head + (isComplete ? body : body.slice(0, -1))
}

/** Returns a request with a head of the given size in bytes. Line ends and colons are not included in the size. */
function headOf(sizeBytes: number): string {
  const [start, end] = [`${get}X-Auth: x.ann.y\r\nX-Big: `, '\r\n\r\n']
  return start + 'a'.repeat(sizeBytes - start.length - end.length) + end
}

/**
 * Returns the outcome of a new connection while `count` other connections are open, with at most a hundred connections
 * per address.
 */
async function statusBesideOthers(
  count: number,
  from: string,
  trusted: readonly string[] = [],
): Promise<number> {
  const { port } = await startHttpServer({ routes, options: { trustedProxies: trusted } })
  const others: ReturnType<typeof openConnection>[] = []
  // The connections are opened in groups. Connections beyond the backlog of the operating system would appear to be
  // open before the server has accepted them.
  while (others.length < count) {
    const from = `127.0.1.${1 + others.length / 100}`
    const more = Array.from({ length: Math.min(100, count - others.length) }, () =>
      openConnection(port, from),
    )
    await eventually(() => more.every(({ received }) => received.isOpen), patienceMs)
    others.push(...more)
  }
  const { socket, received } = openConnection(port, from)
  socket.write(`${get}\r\n`)
  await eventually(() => received.isClosed || statusIn(received.text) > 0, patienceMs)
  for (const other of [...others, { socket }]) other.socket.destroy()
  return statusIn(received.text)
}

/**
 * Sends a request, waits, and sends a second request on the same connection if it is still open. Returns the outcome.
 */
async function outcomeOfSecondRequest(isLate: boolean): Promise<unknown> {
  const { port } = await startHttpServer({
    routes,
    limits: { keepAliveMs: isLate ? 50 : httpLimits.keepAliveMs },
  })
  const { socket, received } = openConnection(port)
  socket.write(`${get}\r\n`)
  await eventually(() => statusIn(received.text) > 0)
  const keepAlive = /keep-alive: (.*)\r\n/i.exec(received.text)?.[1]
  if (isLate) await eventually(() => received.isClosed, patienceMs)
  else socket.write(`${get}\r\n`)
  if (!isLate) await eventually(() => countResponses(received.text) === 2)
  socket.destroy()
  return isLate ? 'closed' : [keepAlive, countResponses(received.text)]
}

const countResponses = (text: string): number => text.split('HTTP/1.1 200').length - 1

/**
 * Sends a request through a trusted proxy, and then one as another client. When the connection of the client has been closed,
 * the proxy sends a second request if its connection is still open. Returns the number of responses to the proxy.
 */
async function responsesToProxy(limits: Partial<HttpLimits>): Promise<number> {
  const { port } = await startHttpServer({ routes, limits, options: { trustedProxies: ['127.0.0.1'] } })
  const proxy = openConnection(port)
  proxy.socket.write(`${get}\r\n`)
  await eventually(() => countResponses(proxy.received.text) === 1)
  const client = openConnection(port, '127.0.0.2')
  client.socket.write(`${get}\r\n`)
  await eventually(() => client.received.isClosed, patienceMs)
  proxy.socket.write(`${get}\r\n`)
  await eventually(() => proxy.received.isClosed || countResponses(proxy.received.text) === 2)
  proxy.socket.destroy()
  return countResponses(proxy.received.text)
}

const loginHead = 'POST /api/login HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\n'
const upload = 'POST /api/resources/a HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n'

/** Uploads a body in chunks of the given size, one chunk every 50 ms, and returns the outcome. */
async function uploadInChunks(chunkBytes: number): Promise<number> {
  const { port } = await startHttpServer({
    routes,
    limits: { receiveIdleMs: 5000, receiveWindowMs: 300, receiveBytesPerSecond: 1000 },
  })
  const { socket, received } = openConnection(port)
  let remainingBytes = 200_000
  socket.write(`${upload}Content-Length: ${remainingBytes}\r\n\r\n`)
  const sending = setInterval(() => {
    const sentBytes = Math.min(remainingBytes, chunkBytes)
    remainingBytes -= sentBytes
    if (socket.writable) socket.write('x'.repeat(sentBytes))
  }, 50)
  await eventually(() => received.isClosed || statusIn(received.text) > 0, patienceMs)
  clearInterval(sending)
  socket.destroy()
  return statusIn(received.text)
}

/**
 * Sends a message of the given size on a web socket. Returns the size of the server's reply in bytes, the code with
 * which the socket was closed, and the negotiated extensions.
 */
async function outcomeOfMessage(sizeBytes: number): Promise<unknown> {
  const { url } = await startHttpServer({
    sockets: [
      { endpoint: openEvents, connect: ({ socket }) => socket.onMessage((text) => socket.send(text)) },
    ],
  })
  const client = new WebSocket(`${url.replace('http', 'ws')}/api/events`, {
    headers: { 'x-auth': 'x.ann.y' },
    perMessageDeflate: true,
  })
  const received = { bytes: 0, code: 0 }
  client.on('open', () => client.send('x'.repeat(sizeBytes)))
  client.on('message', (data: Buffer) => (received.bytes = data.length))
  client.on('close', (code) => (received.code = code)).on('error', () => undefined)
  await eventually(() => received.bytes > 0 || received.code > 0)
  const { extensions } = client
  client.terminate()
  return { ...received, extensions }
}

const statusBesideLargeHeads = (sizeBytes: number, limits: Partial<HttpLimits>): Promise<number> =>
  statusBesideLargeRequest([uploadWithHead(30_000, ''), uploadWithHead(sizeBytes, 'x')], limits)

const statusBesideLargeBodies = (sizeBytes: number, limits: Partial<HttpLimits>): Promise<number> =>
  statusBesideLargeRequest([ticketWithBody(800_000, false), ticketWithBody(sizeBytes, true)], limits)

export const connectionLimitTests: readonly LimitTestCase[] = [
  {
    limit: 'a request head has at most 256 kB',
    limitNames: ['requestHeadBytes'],
    below: () => statusFor(headOf(256 * 1024 - 1)),
    beyond: () => statusFor(headOf(256 * 1024 + 256)),
    expected: [200, 431],
  },
  {
    limit: 'a request head must be complete within 20 s (here: less)',
    limitNames: ['headersTimeoutMs'],
    below: async () => [httpLimits.headersTimeoutMs, await statusFor(`${get}\r\n`)],
    beyond: () => statusFor(get, { limits: { headersTimeoutMs: 200 } }),
    expected: [[20_000, 200], 408],
  },
  {
    limit: 'a connection waits 10 s for its next request (here: less)',
    limitNames: ['keepAliveMs'],
    below: () => outcomeOfSecondRequest(false),
    beyond: () => outcomeOfSecondRequest(true),
    expected: [['timeout=10', 2], 'closed'],
  },
  {
    limit: 'the connection of a trusted proxy waits 130 s for its next request (here: less)',
    limitNames: ['proxyKeepAliveMs'],
    below: async () => [httpLimits.proxyKeepAliveMs, await responsesToProxy({ keepAliveMs: 50 })],
    beyond: () => responsesToProxy({ keepAliveMs: 50, proxyKeepAliveMs: 100 }),
    expected: [[130_000, 2], 1],
  },
  {
    limit: 'an address has at most 100 connections',
    limitNames: ['connectionsPerPeer'],
    below: () => statusBesideOthers(99, '127.0.1.1'),
    beyond: () => statusBesideOthers(100, '127.0.1.1'),
    expected: [200, 0],
  },
  {
    limit: 'a connection may send 32 requests ahead of a response',
    limitNames: ['requestsAhead'],
    below: () => countPipelinedResponses(33),
    beyond: () => countPipelinedResponses(34),
    expected: [33, 0],
  },
  ...(['queuedBytes', 'queuedBytesPerAddress'] as const).map((name): LimitTestCase => ({
    limit: `requests ahead of a response have a limit in bytes (here: less): ${name}`,
    limitNames: [name],
    below: () => countResponsesWithQueuedHead(19_000, { [name]: 20_000 }),
    beyond: () => countResponsesWithQueuedHead(21_000, { [name]: 20_000 }),
    expected: [2, 0],
  })),
  ...(['largeRequestBytes', 'largeRequestBytesPerAddress'] as const).flatMap((name): LimitTestCase[] => [
    {
      limit: `large heads in service have a limit in bytes (here: less): ${name}`,
      limitNames: [name],
      below: () => statusBesideLargeHeads(18_000, { [name]: 50_000 }),
      beyond: () => statusBesideLargeHeads(22_000, { [name]: 50_000 }),
      expected: [200, 503],
    },
    {
      limit: `large JSON bodies in service have a limit in bytes (here: less): ${name}`,
      limitNames: [name],
      below: () => statusBesideLargeBodies(190_000, { [name]: 1_000_000 }),
      beyond: () => statusBesideLargeBodies(210_000, { [name]: 1_000_000 }),
      expected: [200, 503],
    },
  ]),
  ...(['largeResponseBytes', 'largeResponseBytesPerPerson'] as const).map((name): LimitTestCase => ({
    limit: `large responses that a client does not read have a limit in bytes (here: less): ${name}`,
    limitNames: [name],
    below: () => statusBesideUnreadResponse(18_000_000, { [name]: 40_000_000 }),
    beyond: () => statusBesideUnreadResponse(22_000_000, { [name]: 40_000_000 }),
    expected: [200, 503],
  })),
  ...(['readingBytes', 'readingBytesPerPerson'] as const).map((name): LimitTestCase => ({
    limit: `the entries that are in memory in advance of clients have a limit in bytes (here: less): ${name}`,
    limitNames: [name],
    below: () => readBesideUnread(900_000, { [name]: 2_000_000 }),
    beyond: () => readBesideUnread(1_100_000, { [name]: 2_000_000 }),
    expected: [200, 0],
  })),
  {
    limit:
      'a client that reads nothing for some time is disconnected when others wait for its memory (here: less)',
    limitNames: ['readingStalledMs'],
    below: () => readBesideUnread(1_100_000, { readingBytes: 2_000_000, readingStalledMs: 60_000 }),
    beyond: () => readBesideUnread(1_100_000, { readingBytes: 2_000_000, readingStalledMs: 50 }),
    expected: [0, 200],
  },
  {
    limit: 'a trusted proxy may use all connections',
    below: () => statusBesideOthers(100, '127.0.1.1', ['127.0.1.1']),
    beyond: () => statusBesideOthers(100, '127.0.1.1', ['127.0.1.2']),
    expected: [200, 0],
  },
  {
    limit: 'the server has at most 1000 connections',
    limitNames: ['connections'],
    below: () => statusBesideOthers(999, '127.0.2.1'),
    beyond: () => statusBesideOthers(1000, '127.0.2.1'),
    expected: [200, 0],
  },
  {
    limit: 'a JSON body must be complete within 30 s (here: less)',
    limitNames: ['jsonTimeoutMs'],
    below: async () => [httpLimits.jsonTimeoutMs, await statusFor(`${loginHead}{"a":1`)],
    beyond: () => statusFor(`${loginHead}{"a":`, { limits: { jsonTimeoutMs: 200 } }),
    expected: [[30_000, 200], 400],
  },
  {
    limit: 'an upload must send 8 kB a second on average over 30 s (here: less of both)',
    limitNames: ['receiveBytesPerSecond', 'receiveWindowMs'],
    below: async () => [
      httpLimits.receiveBytesPerSecond,
      httpLimits.receiveWindowMs,
      await uploadInChunks(20_000),
    ],
    beyond: () => uploadInChunks(1),
    expected: [[8192, 30_000, 200], 400],
  },
  {
    limit: 'an upload may pause for 60 s (here: less)',
    limitNames: ['receiveIdleMs'],
    below: async () => [httpLimits.receiveIdleMs, await statusFor(`${upload}Content-Length: 3\r\n\r\nabc`)],
    beyond: () => statusFor(`${upload}Content-Length: 3\r\n\r\nab`, { limits: { receiveIdleMs: 200 } }),
    expected: [[60_000, 200], 400],
  },
  {
    limit: 'a message on a socket has at most 8 kB and is not compressed',
    limitNames: ['socketMessageBytes'],
    below: () => outcomeOfMessage(8192),
    beyond: () => outcomeOfMessage(8193),
    expected: [
      { bytes: 8192, code: 0, extensions: '' },
      { bytes: 0, code: 1009, extensions: '' },
    ],
  },
]
