import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { getRaw } from '../../shared/contract/raw.ts'
import { AppError } from '../../shared/domain/failure.ts'
import {
  headersOf,
  fileOf,
  startHttpServer,
  eventually,
  type HttpServerTestOptions,
} from '../../../test/kit/start-http-server.ts'
import type { OpenFile } from '../storage/port.ts'
import { done, route } from './route.ts'

const digits = '0123456789'
const big = Buffer.alloc(8 * 1024 * 1024, digits)

type DownloadTestOptions = HttpServerTestOptions & {
  /** True when the bytes of the file are already in memory, so that no file descriptor is open. */
  readonly isRead?: boolean
}

/** Starts a server that sends the same file for every path below `/api/raw/`. */
async function serve(
  name: string,
  content: string | Uint8Array,
  { isRead = false, ...options }: DownloadTestOptions = {},
) {
  const file = await fileOf(name, content)
  const open = async (): Promise<OpenFile> => {
    const opened = await file.open()
    if (!isRead) return opened
    await opened.close()
    const whole = Buffer.from(content)
    return {
      ...opened,
      whole,
      bytes: async function* ({ start, end }) {
        yield whole.subarray(start, end)
      },
    }
  }
  const routes = [
    route(getRaw, async ({ query }) => ({
      kind: 'file' as const,
      file: await open(),
      isInline: query.inline === 'true',
    })),
  ]
  return { ...(await startHttpServer({ ...options, routes })), file }
}

const ranges = [
  [{}, 200, digits, null],
  [{ range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
  [{ range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
  [{ range: 'bytes=-2' }, 206, '89', 'bytes 8-9/10'],
  [{ range: 'bytes=0-' }, 206, digits, 'bytes 0-9/10'],
  [{ range: 'bytes=0-0,1-1,2-2,3-3,4-4' }, 200, digits, null],
  [{ range: 'bytes=1-2,20-' }, 206, '12', 'bytes 1-2/10'],
  [{ range: 'bytes=0-5,2-6' }, 200, digits, null],
  [{ range: 'bytes=10-' }, 416, '416 Range Not Satisfiable\n', 'bytes */10'],
  [{ range: 'rubbish' }, 200, digits, null],
  [{ range: 'bytes=2-4', 'if-range': '"e1"' }, 206, '234', 'bytes 2-4/10'],
  [{ range: 'bytes=2-4', 'if-range': '"e2"' }, 200, digits, null],
  [{ range: 'bytes=2-4', 'if-none-match': '"e1"' }, 304, '', null],
  [{ range: 'bytes=2-4', 'if-match': '"e2"' }, 412, '412 Precondition Failed\n', null],
  [{ 'if-modified-since': 'Sat, 21 Nov 2026 12:00:00 GMT' }, 304, '', null],
  [{ 'if-unmodified-since': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 412, '412 Precondition Failed\n', null],
] as const

const fileVariants = [
  { way: 'read while it is sent', isRead: false },
  { way: 'read already', isRead: true },
]

describe.each(fileVariants)('a file that is $way', ({ isRead }) => {
  test.each(ranges)('%j leads to the status %i', async (headers, status, body, contentRange) => {
    const { fetch, file } = await serve('a.bin', digits, { isRead })
    const reply = await fetch('/api/raw/a.bin', { headers: headersOf(headers) })
    expect([reply.status, await reply.text(), reply.headers.get('content-range')]).toEqual([
      status,
      body,
      contentRange,
    ])
    await eventually(() => file.openHandles() === 0)
  })
})

test.each([0, 256, 8 * 1024, 8 * 1024 + 1, 64 * 1024])(
  'a file of %i bytes that is already in memory is sent unchanged',
  async (sizeBytes) => {
    const bytes = Uint8Array.from({ length: sizeBytes }, (_, index) => index)
    const { fetch } = await serve('a.bin', bytes, { isRead: true })
    const reply = await fetch('/api/raw/a')
    expect(reply.headers.get('content-length')).toBe(String(sizeBytes))
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true)
  },
)

test.each(fileVariants)('HEAD of a file that is $way has its length and no bytes', async ({ isRead }) => {
  const { fetch } = await serve('a.bin', digits, { isRead })
  const reply = await fetch('/api/raw/a', { method: 'HEAD' })
  expect([reply.headers.get('content-length'), await reply.text()]).toEqual(['10', ''])
})

test.each(fileVariants)(
  'several parts of a file that is $way are sent in one response',
  async ({ isRead }) => {
    const { fetch } = await serve('a.txt', digits, { isRead })
    const reply = await fetch('/api/raw/a?inline=true', { headers: { range: 'bytes=0-1,-2' } })
    const boundary = /^multipart\/byteranges; boundary=(\S+)$/.exec(
      reply.headers.get('content-type') ?? '',
    )?.[1]
    const text = await reply.text()
    expect([reply.status, reply.headers.get('content-length')]).toEqual([206, String(text.length)])
    expect(text.split(`\r\n--${boundary}`)).toEqual([
      '',
      '\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-range: bytes 0-1/10\r\n\r\n01',
      '\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-range: bytes 8-9/10\r\n\r\n89',
      '--\r\n',
    ])
  },
)

test('the response with a whole file has its length, its validators and Accept-Ranges', async () => {
  const { fetch } = await serve('Größe.txt', digits)
  const reply = await fetch('/api/raw/a')
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-length': '10',
    etag: '"e1"',
    'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT',
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="Gr__e.txt"; filename*=utf-8''Gr%C3%B6%C3%9Fe.txt`,
    'cache-control': 'private, no-cache',
  })
})

const comparable = (reply: Response) =>
  [...reply.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))

test('HEAD has the headers of GET and reads nothing of the file', async () => {
  const { fetch, file } = await serve('a.txt', digits)
  const get = await fetch('/api/raw/a?inline=true')
  const head = await fetch('/api/raw/a?inline=true', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(comparable(head)).toEqual(comparable(get))
  await get.text()
  await eventually(() => file.openHandles() === 0)
})

test.each(fileVariants)(
  'the media type of a part of a file that is $way depends on the first bytes of the file',
  async ({ isRead }) => {
    const { fetch } = await serve('a.txt', `text${digits}`, { isRead })
    const reply = await fetch('/api/raw/a?inline=true', { headers: { range: 'bytes=4-5' } })
    expect([reply.status, await reply.text(), reply.headers.get('content-type')]).toEqual([
      206,
      '01',
      'text/plain; charset=utf-8',
    ])
  },
)

test('an empty file is sent, and every range of it is refused', async () => {
  const { fetch } = await serve('a.txt', '')
  const reply = await fetch('/api/raw/a')
  expect([reply.status, await reply.text(), reply.headers.get('content-length')]).toEqual([200, '', '0'])
  expect((await fetch('/api/raw/a', { headers: { range: 'bytes=0-' } })).status).toBe(416)
})

test('a file of many megabytes is sent completely, and a range of it exactly', async () => {
  const { fetch, file } = await serve('a.bin', big)
  const whole = Buffer.from(await (await fetch('/api/raw/a')).arrayBuffer())
  expect(whole.equals(big)).toBe(true)
  const part = await fetch('/api/raw/a', { headers: { range: 'bytes=1048571-3145735' } })
  expect(Buffer.from(await part.arrayBuffer()).equals(big.subarray(1_048_571, 3_145_736))).toBe(true)
  await eventually(() => file.openHandles() === 0)
})

/** Starts a download and reads only its first bytes. */
async function beginDownload(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('GET /api/raw/a HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n\r\n')
  const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  socket.pause()
  return { socket, first: first.toString('latin1') }
}

const huge = Buffer.alloc(64 * 1024 * 1024, 'x')

test('a client that disconnects during a download closes the file', async () => {
  const { port, file, fetch, lines } = await serve('a.bin', huge)
  const { socket, first } = await beginDownload(port)
  expect(first).toMatch(/^HTTP\/1.1 200 /)
  expect(file.openHandles()).toBe(1)
  socket.destroy()
  await eventually(() => file.openHandles() === 0)
  expect((await fetch('/api/raw/a', { method: 'HEAD' })).status).toBe(200)
  expect(lines).toEqual([expect.stringMatching(/ \/api\/raw\/a: 499 127.0.0.1 /)])
})

test('the connection of a client that reads nothing is closed', async () => {
  const { port, file } = await serve('a.bin', huge, { limits: { sendIdleMs: 100 } })
  const { socket } = await beginDownload(port)
  await eventually(() => file.openHandles() === 0)
  socket.destroy()
})

test('a download is aborted when its session ends, and not when another session ends', async () => {
  const { port, file, endSession } = await serve('a.bin', huge)
  const { socket } = await beginDownload(port)
  endSession('bea')
  expect(socket.closed).toBe(false)
  expect(file.openHandles()).toBe(1)
  endSession('ann')
  await eventually(() => file.openHandles() === 0)
  socket.resume()
  await eventually(() => socket.closed)
})

test('the connection is closed when a file shrinks during its download', async () => {
  const file = await fileOf('a.bin', digits)
  const { raw, fetch } = await startHttpServer({
    routes: [
      route(getRaw, async () => {
        const opened = await file.open()
        return {
          kind: 'file',
          isInline: false,
          file: { ...opened, entry: { ...opened.entry, sizeBytes: 20 } },
        }
      }),
    ],
  })
  const response = await raw(
    'GET /api/raw/a HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n\r\nGET /health HTTP/1.1\r\n\r\n',
  )
  expect(response).toMatch(/content-length: 20/i)
  expect(response.endsWith(digits)).toBe(true)
  await expect(fetch('/api/raw/a').then((reply) => reply.text())).rejects.toThrow('terminated')
  await eventually(() => file.openHandles() === 0)
})

test('a read error before the first byte leads to a failure response, and a later read error closes the connection', async () => {
  const file = await fileOf('a.bin', digits)
  let failAt = 0
  const { fetch } = await startHttpServer({
    routes: [
      route(getRaw, async () => {
        const opened = await file.open()
        return {
          kind: 'file',
          isInline: false,
          file: {
            ...opened,
            async *bytes() {
              if (failAt > 0) yield Buffer.from(digits.slice(0, failAt))
              throw new AppError('unavailable')
            },
          },
        }
      }),
    ],
  })
  expect((await fetch('/api/raw/a')).status).toBe(503)
  failAt = 4
  await expect(fetch('/api/raw/a').then((reply) => reply.text())).rejects.toThrow('terminated')
  await eventually(() => file.openHandles() === 0)
})

test('no response is sent for an operation that fails after its client disconnected', async () => {
  const { port, lines } = await startHttpServer({
    routes: [
      route(getRaw, async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return done
      }),
    ],
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /api/raw/a HTTP/1.1\r\nHost: h\r\nX-Auth: x.ann.y\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  await eventually(() => lines.length === 1)
  expect(lines[0]).toContain(' 499 ')
})
