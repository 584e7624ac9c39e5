import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import { getResource } from '../../shared/contract/resources.ts'
import { eventually, openDoor, type DoorWish } from '../../../test/kit/open-door.ts'
import { route } from './route.ts'

const ndjson = 'application/x-ndjson'

/** Somebody from outside, behind a proxy on this machine. */
const outside = { 'x-forwarded-for': '203.0.113.9' }
const proxied: DoorWish = { options: { trustedProxies: ['127.0.0.1'] } }

/** Pieces that come when they are let go, and that tell whether they were let go for good. */
async function streaming(pieces: (first: Promise<void>) => AsyncIterable<string>, wish: DoorWish = {}) {
  const gone = Promise.withResolvers<void>()
  const door = await openDoor({
    ...wish,
    routes: [
      route(getResource, async () => ({ kind: 'pieces', contentType: ndjson, pieces: pieces(gone.promise) })),
    ],
  })
  return { ...door, go: gone.resolve }
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** What the wire holds, undecoded. */
async function wireOf(
  door: { raw: (bytes: string) => Promise<string> },
  encoding: string,
  address = '/api/resources/',
) {
  const answer = await door.raw(
    `GET ${address} HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\nX-Forwarded-For: 203.0.113.9\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
  )
  const at = answer.indexOf('\r\n\r\n')
  return { head: answer.slice(0, at).toLowerCase(), body: Buffer.from(answer.slice(at + 4), 'latin1') }
}

test('the first piece is there before the second is made', async () => {
  const { fetch, go } = await streaming(async function* (next) {
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

test('the first compressed piece is, too', async () => {
  const { fetch, go } = await streaming(async function* (next) {
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
  'JSON is compressed by %s for who accepts it and is not on this machine',
  async (encoding) => {
    const json = Array.from({ length: 5000 }, (_, at) => ({ name: `file ${at}` }))
    const door = await openDoor({
      ...proxied,
      routes: [route(getResource, async () => ({ kind: 'json', json }))],
    })
    const { head, body } = await wireOf(door, encoding)
    expect(head).toContain(`content-encoding: ${encoding}`)
    expect(head).toContain('vary: accept-encoding')
    expect(JSON.parse(decoders[encoding]?.(body).toString() ?? '')).toEqual(json)
    expect((await wireOf(door, 'identity')).head).not.toContain('content-encoding')
    const near = await door.fetch('/api/resources/')
    expect([near.headers.get('content-encoding'), await near.json()]).toEqual([null, json])
  },
)

test('a little JSON is not compressed', async () => {
  const door = await openDoor({
    ...proxied,
    routes: [route(getResource, async () => ({ kind: 'json', json: {} }))],
  })
  expect((await wireOf(door, 'gzip')).head).not.toContain('content-encoding')
})

test('when the reader leaves, no more is made', async () => {
  let made = 0
  let ended = false
  const { port } = await streaming(async function* () {
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

test('pieces that fail at once are a failure; later they cut the answer', async () => {
  let failAt = 0
  const { fetch, lines } = await streaming(async function* () {
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

test('HEAD makes the first piece and no other, and is over when that is', async () => {
  const made: string[] = []
  const { fetch } = await streaming(async function* () {
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

test('HEAD fails as GET does where not even the first piece comes', async () => {
  const { fetch } = await streaming(async function* () {
    yield* []
    throw new AppError('forbidden')
  })
  for (const method of ['GET', 'HEAD']) expect((await fetch('/api/resources/', { method })).status).toBe(403)
})
