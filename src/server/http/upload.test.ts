import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createResource } from '../../shared/contract/resources.ts'
import { login } from '../../shared/contract/sessions.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import {
  startHttpServer,
  eventually,
  type HttpServerTestOptions,
} from '../../../test/kit/start-http-server.ts'
import { done, route, type OperationRequest } from './route.ts'

/** Starts a server with a route that counts the received bytes and records how their stream ended. */
async function startCounting(options: HttpServerTestOptions = {}) {
  const seen: { bytes: number; end: string }[] = []
  const routes = [
    route(createResource, async ({ bytes }) => {
      const upload = { bytes: 0, end: 'running' }
      seen.push(upload)
      try {
        for await (const chunk of bytes) upload.bytes += chunk.length
        upload.end = 'whole'
      } catch (thrown) {
        upload.end = codeOf(thrown)
        throw thrown
      }
      return done
    }),
  ]
  return { ...(await startHttpServer({ ...options, routes })), seen }
}

const startRefusing = (options: HttpServerTestOptions = {}) =>
  startHttpServer({
    ...options,
    routes: [
      route(createResource, async () => {
        throw new AppError('name-taken')
      }),
    ],
  })

const head = 'POST /api/resources/a HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n'

/** Opens a connection on which the test sends a request, and records the response. */
function openClient(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  const heard = { text: '', closed: false }
  socket.on('data', (chunk) => (heard.text += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  socket.on('close', () => (heard.closed = true))
  return { socket, heard }
}

test('an upload arrives completely, with a length and in chunks', async () => {
  const { fetch, seen } = await startCounting()
  const body = Buffer.alloc(5 * 1024 * 1024 + 3, 'x')
  expect((await fetch('/api/resources/a', { method: 'POST', body })).status).toBe(200)
  const stream = new Blob([body]).stream()
  const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit & {
    headers?: Record<string, string>
  }
  expect((await fetch('/api/resources/a', init)).status).toBe(200)
  expect((await fetch('/api/resources/a', { method: 'POST' })).status).toBe(200)
  expect(seen).toEqual([
    { bytes: body.length, end: 'whole' },
    { bytes: body.length, end: 'whole' },
    { bytes: 0, end: 'whole' },
  ])
})

test('chunks of any size arrive completely and in order', async () => {
  const heard: Buffer[] = []
  const { port } = await startHttpServer({
    routes: [
      route(createResource, async ({ bytes }) => {
        for await (const chunk of bytes) heard.push(Buffer.from(chunk))
        return done
      }),
    ],
  })
  const sizes = [...Array.from({ length: 3000 }, (_, n) => 1 + (n % 7)), 5000, 1, 70_000, 2, 1023, 1024, 3]
  const parts = sizes.map((size, n) => String.fromCharCode(97 + (n % 26)).repeat(size))
  const { socket, heard: response } = openClient(port)
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
  for (const part of parts) socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
  socket.write('0\r\n\r\n')
  await eventually(() => response.text.startsWith('HTTP/1.1 200 '))
  socket.destroy()
  expect(Buffer.concat(heard).toString()).toBe(parts.join(''))
})

test('a client that disconnects aborts its upload', async () => {
  const { port, seen } = await startCounting()
  const { socket } = openClient(port)
  socket.write(`${head}Content-Length: 100\r\n\r\nten bytes.`)
  await eventually(() => seen[0]?.bytes === 10)
  socket.destroy()
  await eventually(() => seen[0]?.end === 'aborted')
})

test('a client that announces more than it sends and closes its sending side aborts its upload', async () => {
  const { port, seen } = await startCounting()
  const { socket } = openClient(port)
  socket.end(`${head}Content-Length: 100\r\n\r\nten bytes.`)
  await eventually(() => seen[0]?.end === 'aborted')
})

test('a malformed chunk aborts the upload and leads to the status 400', async () => {
  const { raw, seen } = await startCounting()
  const response = await raw(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n`)
  expect(response).toMatch(/^HTTP\/1.1 400 /)
  await eventually(() => seen[0]?.end === 'aborted')
})

test('the upload of a client that sends nothing is ended', async () => {
  const { port, seen } = await startCounting({ limits: { receiveIdleMs: 100 } })
  const { socket, heard } = openClient(port)
  socket.write(`${head}Content-Length: 100\r\n\r\nten bytes.`)
  await eventually(() => seen[0]?.end === 'truncated')
  await eventually(() => heard.text.startsWith('HTTP/1.1 400 '))
  socket.destroy()
})

test('the upload of a client below the minimum rate is ended', async () => {
  const { port, seen } = await startCounting({
    limits: { receiveIdleMs: 1000, receiveWindowMs: 300, receiveBytesPerSecond: 1000 },
  })
  const { socket } = openClient(port)
  socket.write(`${head}Content-Length: 1000000\r\n\r\n`)
  const dribble = setInterval(() => socket.write('x'), 20)
  await eventually(() => seen[0]?.end === 'truncated')
  clearInterval(dribble)
  socket.destroy()
})

test('the time that a slow storage takes is not counted as a pause of the client', async () => {
  const { fetch } = await startHttpServer({
    limits: { receiveIdleMs: 100, receiveWindowMs: 50 },
    routes: [
      route(createResource, async ({ bytes }) => {
        for await (const chunk of bytes) {
          expect(chunk.length).toBeGreaterThan(0)
          await new Promise((resolve) => setTimeout(resolve, 150))
        }
        return done
      }),
    ],
  })
  const body = Buffer.alloc(1024 * 1024)
  expect((await fetch('/api/resources/a', { method: 'POST', body })).status).toBe(200)
})

test('an upload arrives in large blocks, which use the memory of two', async () => {
  const blocks: { readonly buffer: ArrayBufferLike; readonly bytes: number }[] = []
  const { fetch } = await startHttpServer({
    routes: [
      route(createResource, async ({ bytes }) => {
        for await (const { buffer, length } of bytes) blocks.push({ buffer, bytes: length })
        return done
      }),
    ],
  })
  const body = Buffer.alloc(8 * 1024 * 1024)
  expect((await fetch('/api/resources/a', { method: 'POST', body })).status).toBe(200)
  expect(blocks.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(body.length)
  expect(new Set(blocks.map(({ buffer }) => buffer)).size).toBeLessThanOrEqual(2)
})

test('the bytes of a slow client are passed on before they fill a block', async () => {
  const { port, seen } = await startCounting()
  const { socket } = openClient(port)
  socket.write(`${head}Content-Length: 1000000\r\n\r\n`)
  for (let sentBytes = 10; sentBytes <= 50; sentBytes += 10) {
    socket.write('ten bytes.')
    await eventually(() => seen[0]?.bytes === sentBytes)
  }
  socket.destroy()
})

test.each(['end', 'resetAndDestroy'] as const)(
  'the bytes that arrived before a client breaks off with %s are passed on',
  async (breakOff) => {
    const { port, seen } = await startCounting()
    const { socket } = openClient(port)
    socket.write(`${head}Content-Length: 1000000\r\n\r\n`)
    await eventually(() => seen.length === 1)
    socket.write('ten bytes.', () => socket[breakOff]())
    await eventually(() => seen[0]?.end === 'aborted')
    // A connection that is reset may lose what the server has not read.
    expect(breakOff === 'end' ? [10] : [0, 10]).toContain(seen[0]?.bytes)
  },
)

test('an upload is aborted when its session ends', async () => {
  const { port, seen, endSession } = await startCounting()
  const { socket, heard } = openClient(port)
  socket.write(`${head}Content-Length: 100\r\n\r\nten bytes.`)
  await eventually(() => seen[0]?.bytes === 10)
  endSession('ann')
  await eventually(() => seen[0]?.end === 'aborted')
  await eventually(() => heard.text.startsWith('HTTP/1.1 401 '))
  socket.destroy()
})

test('100 Continue is sent when the body is first read', async () => {
  const read = Promise.withResolvers<void>()
  const { port } = await startHttpServer({
    routes: [
      route(createResource, async ({ bytes }) => {
        await read.promise
        for await (const chunk of bytes) expect(Buffer.from(chunk).toString()).toBe('ten bytes.')
        return done
      }),
    ],
  })
  const { socket, heard } = openClient(port)
  socket.write(`${head}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(heard.text).toBe('')
  read.resolve()
  await eventually(() => heard.text === 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('ten bytes.')
  await eventually(() => heard.text.includes('HTTP/1.1 200 OK'))
  socket.destroy()
})

test('a refused upload that waits for 100 Continue sends no body', async () => {
  const { raw } = await startRefusing()
  const response = await raw(`${head}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`)
  expect(response).toMatch(/^HTTP\/1.1 409 Conflict\r\n/)
  expect(response.toLowerCase()).toContain('connection: close')
})

test('a refused upload is read to its end, so that the browser reads the failure response and can reuse the connection', async () => {
  const { fetch, raw } = await startRefusing()
  const reply = await fetch('/api/resources/a', { method: 'POST', body: Buffer.alloc(20 * 1024 * 1024) })
  expect([reply.status, await reply.text()]).toEqual([409, '409 Conflict\n'])
  const both = await raw(
    `${head}Content-Length: 100000\r\n\r\n${'x'.repeat(100_000)}${head}Content-Length: 1\r\n\r\nx`,
  )
  expect(both.match(/HTTP\/1.1 409 Conflict/g)).toHaveLength(2)
})

test('the connection of a refused upload that does not end is closed after the failure response', async () => {
  const { port } = await startRefusing({ limits: { drainBytes: 1024 * 1024 } })
  const { socket, heard } = openClient(port)
  socket.write(`${head}Content-Length: 10000000000\r\n\r\n`)
  const pump = setInterval(() => socket.writableLength < 1_000_000 && socket.write(Buffer.alloc(100_000)), 1)
  await eventually(() => heard.closed)
  clearInterval(pump)
  expect(heard.text).toMatch(/^HTTP\/1.1 409 Conflict\r\n/)
})

test('the connection of a refused upload that stalls is closed', async () => {
  const { port } = await startRefusing({ limits: { drainMs: 100 } })
  const { socket, heard } = openClient(port)
  socket.write(`${head}Content-Length: 10000\r\n\r\nx`)
  await eventually(() => heard.closed)
  expect(heard.text).toMatch(/^HTTP\/1.1 409 Conflict\r\n/)
})

test('the response of an operation that stops reading its body is sent, and the rest of the body is drained', async () => {
  const { fetch } = await startHttpServer({
    routes: [
      route(createResource, async ({ bytes }) => {
        for await (const chunk of bytes) if (chunk.length > 0) throw new AppError('no-space')
        return done
      }),
    ],
  })
  for (let round = 0; round < 3; round += 1) {
    const reply = await fetch('/api/resources/a', { method: 'POST', body: Buffer.alloc(20 * 1024 * 1024) })
    expect([reply.status, await reply.text()]).toEqual([507, '507 Insufficient Storage\n'])
  }
})

test('one timeout applies to a complete JSON body', async () => {
  const { port } = await startHttpServer({
    limits: { jsonTimeoutMs: 200 },
    routes: [route(login, async (_asked: OperationRequest<typeof login>) => done)],
  })
  const { socket, heard } = openClient(port)
  socket.write('POST /api/login HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n')
  const dribble = setInterval(() => socket.write('x'), 20)
  await eventually(() => heard.text.startsWith('HTTP/1.1 400 '))
  clearInterval(dribble)
  socket.destroy()
})

/**
 * Starts a server with a route that reads its body as a whole if the body has arrived completely and streams it otherwise.
 * Records which of the two happened.
 */
async function startReadingWhole() {
  const seen: { text: string; isWhole: boolean }[] = []
  const routes = [
    route(createResource, async ({ bytes, sizeBytes = 0 }) => {
      const whole = (await bytes.whole?.(sizeBytes)) ?? null
      const chunks: Uint8Array[] = whole === null ? [] : [whole]
      if (whole === null) for await (const chunk of bytes) chunks.push(Buffer.from(chunk))
      seen.push({ text: Buffer.concat(chunks).toString(), isWhole: whole !== null })
      return done
    }),
  ]
  return { ...(await startHttpServer({ routes })), seen }
}

test('a body that arrives with its head can be read as a whole, and the connection stays usable', async () => {
  const { port, seen } = await startReadingWhole()
  const { socket, heard } = openClient(port)
  const long = 'x'.repeat(4096)
  for (const [at, text] of ['ten bytes.', '', long, 'ten bytes.'].entries()) {
    socket.write(`${head}Content-Length: ${text.length}\r\n\r\n${text}`)
    await eventually(() => heard.text.split('HTTP/1.1 200 OK').length === at + 2)
  }
  expect(seen).toEqual(['ten bytes.', '', long, 'ten bytes.'].map((text) => ({ text, isWhole: true })))
  socket.destroy()
})

test('a body that arrives slowly or waits for 100 Continue cannot be read as a whole, and is streamed instead', async () => {
  const { port, seen } = await startReadingWhole()
  const slow = openClient(port)
  slow.socket.write(`${head}Content-Length: 10\r\n\r\nten `)
  await new Promise((resolve) => setTimeout(resolve, 100))
  slow.socket.write('bytes.')
  await eventually(() => slow.heard.text.includes('HTTP/1.1 200 OK'))
  const told = openClient(port)
  told.socket.write(`${head}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`)
  await eventually(() => told.heard.text === 'HTTP/1.1 100 Continue\r\n\r\n')
  told.socket.write('ten bytes.')
  await eventually(() => told.heard.text.includes('HTTP/1.1 200 OK'))
  expect(seen).toEqual([1, 2].map(() => ({ text: 'ten bytes.', isWhole: false })))
  for (const { socket } of [slow, told]) socket.destroy()
})
