import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import { getResource } from '../../shared/contract/resources.ts'
import {
  eventually,
  startHttpServer,
  type HttpServerTestOptions,
} from '../../../test/kit/start-http-server.ts'
import { route } from './route.ts'

const ndjson = 'application/x-ndjson'

/** The headers of a client on another machine, whose requests arrive through a trusted proxy on this machine. */
const outside = { 'x-forwarded-for': '203.0.113.9' }
const proxied: HttpServerTestOptions = { options: { trustedProxies: ['127.0.0.1'] } }

/**
 * Starts a server whose response streams the given chunks. The chunks may wait for a promise that the test resolves with
 * `go`.
 */
async function startStreaming(
  chunks: (first: Promise<void>) => AsyncIterable<string>,
  options: HttpServerTestOptions = {},
) {
  const gate = Promise.withResolvers<void>()
  const server = await startHttpServer({
    ...options,
    routes: [
      route(getResource, async () => ({ kind: 'stream', contentType: ndjson, chunks: chunks(gate.promise) })),
    ],
  })
  return { ...server, go: gate.resolve }
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** Returns the head and the body of a response as they were sent, without decompression. */
async function rawResponseOf(
  server: { raw: (bytes: string) => Promise<string> },
  encoding: string,
  address = '/api/resources/',
) {
  const response = await server.raw(
    `GET ${address} HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\nX-Forwarded-For: 203.0.113.9\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
  )
  const headEnd = response.indexOf('\r\n\r\n')
  return {
    head: response.slice(0, headEnd).toLowerCase(),
    body: Buffer.from(response.slice(headEnd + 4), 'latin1'),
  }
}

test('the first chunk arrives before the second chunk is produced', async () => {
  const { fetch, go } = await startStreaming(async function* (next) {
    yield 'first\n'
    await next
    yield 'second\n'
  })
  const reply = await fetch('/api/resources/')
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('first\n')
  go()
  expect((await reader?.read())?.value).toBe('second\n')
  expect((await reader?.read())?.done).toBe(true)
  expect(reply.headers.get('content-type')).toBe(ndjson)
})

test('the first compressed chunk arrives before the second chunk is produced', async () => {
  const { fetch, go } = await startStreaming(async function* (next) {
    yield 'first\n'
    await next
    yield 'second\n'
  }, proxied)
  const reply = await fetch('/api/resources/', { headers: { ...outside, 'accept-encoding': 'gzip' } })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('first\n')
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  go()
  expect((await reader?.read())?.value).toBe('second\n')
})

test.each(['gzip', 'br', 'zstd'])(
  'JSON is compressed with %s for clients on other machines that accept this encoding',
  async (encoding) => {
    const json = Array.from({ length: 5000 }, (_, index) => ({ name: `file ${index}` }))
    const server = await startHttpServer({
      ...proxied,
      routes: [route(getResource, async () => ({ kind: 'json', json }))],
    })
    const { head, body } = await rawResponseOf(server, encoding)
    expect(head).toContain(`content-encoding: ${encoding}`)
    expect(head).toContain('vary: accept-encoding')
    expect(JSON.parse(decoders[encoding]?.(body).toString() ?? '')).toEqual(json)
    expect((await rawResponseOf(server, 'identity')).head).not.toContain('content-encoding')
    const near = await server.fetch('/api/resources/')
    expect([near.headers.get('content-encoding'), await near.json()]).toEqual([null, json])
  },
)

test('small JSON is not compressed', async () => {
  const server = await startHttpServer({
    ...proxied,
    routes: [route(getResource, async () => ({ kind: 'json', json: {} }))],
  })
  expect((await rawResponseOf(server, 'gzip')).head).not.toContain('content-encoding')
})

test('when the client disconnects, no further chunk is produced', async () => {
  let made = 0
  let ended = false
  const { port } = await startStreaming(async function* () {
    try {
      for (;;) {
        made += 1
        yield 'x'.repeat(100_000)
      }
    } finally {
      ended = true
    }
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /api/resources/ HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
  await eventually(() => ended)
  expect(made).toBeLessThan(1000)
})

test('an error before the first chunk leads to a failure response, and a later error closes the connection', async () => {
  let failAt = 0
  const { fetch, lines } = await startStreaming(async function* () {
    if (failAt === 0) throw new Error('broken')
    yield 'first\n'
    throw new Error('broken later')
  })
  expect((await fetch('/api/resources/')).status).toBe(500)
  failAt = 1
  const reply = await fetch('/api/resources/')
  expect(reply.status).toBe(200)
  await expect(reply.text()).rejects.toThrow('terminated')
  await eventually(() => lines.length === 2)
  expect(lines[1]).toContain('broken later')
})

test('for HEAD, only the first chunk is produced', async () => {
  const made: string[] = []
  const { fetch } = await startStreaming(async function* () {
    try {
      for (const piece of ['first\n', 'second\n']) {
        made.push(piece)
        yield piece
      }
    } finally {
      made.push('over')
    }
  })
  const reply = await fetch('/api/resources/', { method: 'HEAD' })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, ndjson])
  expect(made).toEqual(['first\n', 'over'])
})

test('HEAD fails like GET when the first chunk cannot be produced', async () => {
  const { fetch } = await startStreaming(async function* () {
    yield* []
    throw new AppError('forbidden')
  })
  for (const method of ['GET', 'HEAD']) expect((await fetch('/api/resources/', { method })).status).toBe(403)
})
