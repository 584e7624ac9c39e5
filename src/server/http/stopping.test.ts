import { once } from 'node:events'
import { connect } from 'node:net'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { connect as connectTls } from 'node:tls'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openEvents } from '../../shared/contract/events.ts'
import { getHealth } from '../../shared/contract/server.ts'
import { getRaw } from '../../shared/contract/raw.ts'
import { createResource } from '../../shared/contract/resources.ts'
import { createCertificate } from '../../../test/kit/certificate.ts'
import { succeeds } from '../../../test/kit/mounts.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { openCertificate } from './certificate.ts'
import type { HttpLimits } from './http-options.ts'
import {
  converse,
  eventually,
  fileOf,
  modifiedMs,
  startHttpServer,
} from '../../../test/kit/start-http-server.ts'
import type { OpenFile } from '../storage/port.ts'
import { done, route } from './route.ts'

const head = 'Host: h\r\nX-Auth: x.ann.y\r\n\r\n'

test('when the server stops, idle connections are closed soon and no new connection is accepted', async () => {
  const { port, close } = await startHttpServer({ routes: [route(getHealth, async () => done)] })
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /health HTTP/1.1\r\n${head}`)
  await new Promise((resolve) => socket.once('data', resolve))
  const started = Date.now()
  await close(60_000)
  expect(Date.now() - started).toBeLessThan(30_000)
  await eventually(() => socket.closed || socket.readableEnded)
  expect(await converse(port, `GET /health HTTP/1.1\r\n${head}`)).toBe('')
})

test('when the server stops, the next request of each connection is answered, and its connection ends', async () => {
  const { port, close } = await startHttpServer({ routes: [route(getHealth, async () => done)] })
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  socket.write(`GET /health HTTP/1.1\r\n${head}`)
  await eventually(() => received.endsWith('200 OK\n'))
  expect(received).toMatch(/connection: keep-alive/i)
  received = ''
  const closed = close(60_000)
  // The request is on its way when the server begins to stop.
  socket.write(`GET /health HTTP/1.1\r\n${head}`)
  await closed
  await eventually(() => socket.closed || socket.readableEnded)
  expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
})

/** Returns a file of two bytes. The second one is read after the promise has resolved. */
const slowFile = (rest: Promise<void>): OpenFile => ({
  entry: { name: 'a', kind: 'file', sizeBytes: 2, modifiedMs, mode: 0o100640, etag: 'e1' },
  async *bytes() {
    yield Buffer.from('a')
    await rest
    yield Buffer.from('b')
  },
  close: async () => {},
})

test('a connection whose response ends long after the server began to stop is open for its next request', async () => {
  const rests = Array.from({ length: 20 }, () => Promise.withResolvers<void>())
  let opened = 0
  const { port, close } = await startHttpServer({
    routes: [
      route(getRaw, async () => ({
        kind: 'file',
        file: slowFile(rests[opened++]?.promise ?? Promise.resolve()),
        isInline: false,
      })),
      route(getHealth, async () => done),
    ],
  })
  const received = rests.map(() => '')
  const sockets = rests.map((_, index) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => (received[index] += chunk.toString()))
    socket.write(`GET /api/raw/a HTTP/1.1\r\n${head}`)
    return socket
  })
  await eventually(() => received.every((text) => text.endsWith('\r\n\r\na')))
  const closed = close(30_000)
  // The server looks for idle connections four times a second. The responses end at times that are spread over such a period.
  rests.forEach(({ resolve }, index) => setTimeout(resolve, 1200 + index * 12))
  await Promise.all(
    sockets.map(async (socket, index) => {
      await eventually(() => received[index]?.endsWith('ab') === true)
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.write(`GET /health HTTP/1.1\r\n${head}`)
    }),
  )
  await closed
  await eventually(() => sockets.every((socket) => socket.closed))
  for (const text of received) expect(text).toMatch(/abHTTP\/1\.1 200 [\s\S]*connection: close/i)
})

test('connections that have sent nothing do not keep a server from stopping', async () => {
  const server = await startHttpServer({ limits: { headersTimeoutMs: 600_000 } })
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.resume()
  await server.close(600_000)
  await eventually(() => socket.closed)
})

test.runIf(succeeds('openssl', 'version'))(
  'TLS connections are idle in the same way, those that have sent nothing as well',
  async () => {
    const tls = await openCertificate(createCertificate(temporaryFolder(), 'server'), () => {})
    const finish = Promise.withResolvers<void>()
    const server = await startHttpServer({
      options: { tls },
      limits: { headersTimeoutMs: 600_000 },
      routes: [
        route(getHealth, async () => {
          await finish.promise
          return done
        }),
      ],
    })
    const open = async () => {
      const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      return socket
    }
    const [unused, used] = [await open(), await open()]
    unused.resume()
    let received = ''
    used.on('data', (chunk) => (received += chunk.toString()))
    used.write(`GET /health HTTP/1.1\r\n${head}`)
    const closed = server.close(600_000)
    await eventually(() => unused.closed)
    finish.resolve()
    await closed
    await eventually(() => received.endsWith('200 OK\n'))
  },
)

test('when the server stops, a running request may finish', async () => {
  const finish = Promise.withResolvers<void>()
  let hasBegun = false
  const { fetch, close } = await startHttpServer({
    routes: [
      route(getHealth, async () => {
        hasBegun = true
        await finish.promise
        return done
      }),
    ],
  })
  const reply = fetch('/health')
  await eventually(() => hasBegun)
  const closed = close(10_000)
  finish.resolve()
  expect(await (await reply).text()).toBe('200 OK\n')
  await closed
})

test('after the grace time, uploads are aborted, downloads end and files are closed', async () => {
  const file = await fileOf('a.bin', Buffer.alloc(64 * 1024 * 1024))
  let upload = 'none'
  const { port, close } = await startHttpServer({
    routes: [
      route(getRaw, async () => ({ kind: 'file', file: await file.open(), isInline: false })),
      route(createResource, async ({ bytes }) => {
        upload = 'running'
        try {
          for await (const chunk of bytes) expect(chunk.length).toBe(1)
        } catch (thrown) {
          upload = String(thrown)
          throw thrown
        }
        return done
      }),
    ],
  })
  const down = connect(port, '127.0.0.1')
  down.on('error', () => undefined)
  down.write(`GET /api/raw/a HTTP/1.1\r\n${head}`)
  await new Promise((resolve) => down.once('data', resolve))
  down.pause()
  const up = connect(port, '127.0.0.1')
  let heard = ''
  up.on('data', (chunk) => (heard += chunk.toString()))
  up.write(`POST /api/resources/a HTTP/1.1\r\nContent-Length: 100\r\n${head}x`)
  await eventually(() => upload === 'running')
  await close(100)
  expect(upload).toContain('aborted')
  expect(heard).toMatch(/^HTTP\/1.1 503 /)
  expect(file.openHandles()).toBe(0)
  down.destroy()
  up.destroy()
})

test.runIf(succeeds('openssl', 'version'))(
  'a TLS connection without a handshake ends soon after the grace time, or with the timeout of a request head',
  async () => {
    const tls = await openCertificate(createCertificate(temporaryFolder(), 'server'), () => {})
    const connectTo = async (limits: Partial<HttpLimits>) => {
      const server = await startHttpServer({ options: { tls }, limits })
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.resume()
      await once(socket, 'connect')
      return { server, socket }
    }
    const lasting = await connectTo({ headersTimeoutMs: 600_000 })
    await lasting.server.close(100)
    await eventually(() => lasting.socket.closed)
    const { socket } = await connectTo({ headersTimeoutMs: 200 })
    await eventually(() => socket.closed)
  },
)

test('an incomplete head leads to a failure response after its timeout, and the connection is closed', async () => {
  const { port } = await startHttpServer({ limits: { headersTimeoutMs: 200 } })
  const response = await converse(port, 'GET /health HTTP/1.1\r\nHost: h\r\n', 5000)
  expect(response).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
})

async function countServed(port: number): Promise<number> {
  const asked = Array.from({ length: 5 }, () => converse(port, `GET /health HTTP/1.1\r\n${head}`, 200))
  return (await Promise.all(asked)).filter((response) => response.startsWith('HTTP/1.1 200')).length
}

test('the connections of one peer are limited, and those of a trusted proxy are not', async () => {
  const limits = { connectionsPerPeer: 3 }
  const routes = [route(getHealth, async () => done)]
  expect(await countServed((await startHttpServer({ routes, limits })).port)).toBe(3)
  const proxied = await startHttpServer({ routes, limits, options: { trustedProxies: ['127.0.0.0/8'] } })
  expect(await countServed(proxied.port)).toBe(5)
})

test('the server listens on a unix socket, whose peers are trusted proxies', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-socket-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o700)
  const socketPath = path.join(folder, 's')
  const server = await startHttpServer({
    listenAddress: { socketPath, socketMode: 0o600 },
    routes: [route(getHealth, async ({ client }) => ({ kind: 'text', text: client.address }))],
  })
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600)
  const text = await new Promise<string>((resolve) => {
    request({ socketPath, path: '/health', headers: { 'x-forwarded-for': '203.0.113.9' } }, (reply) => {
      reply.on('data', (chunk: Buffer) => resolve(chunk.toString()))
    }).end()
  })
  expect(text).toBe('203.0.113.9')
  await server.close()
})

test('a socket that is requested just before the server stops does not keep the server from ending', async () => {
  const recognition = Promise.withResolvers<void>()
  let isRequested = false
  const { port, close } = await startHttpServer({
    sockets: [{ endpoint: openEvents, connect: () => undefined }],
    beforeRecognition: () => {
      isRequested = true
      return recognition.promise
    },
  })
  const client = new WebSocket(`ws://127.0.0.1:${port}/api/events`, { headers: { 'x-auth': 'x.ann.y' } })
  let status = 0
  client.on('unexpected-response', (_request, response) => (status = response.statusCode ?? 0))
  client.on('error', () => undefined)
  await eventually(() => isRequested)
  const closed = close(0)
  recognition.resolve()
  await closed
  await eventually(() => status === 503 || client.readyState === WebSocket.CLOSED)
})
