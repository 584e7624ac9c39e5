import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { headersOf, startHttpServer } from '../../../test/kit/start-http-server.ts'
import { makeTree } from '../../../test/kit/tree.ts'

const script = 'console.log(1)'

async function withStatic() {
  const staticFolder = await mkdtemp(path.join(tmpdir(), 'stowage-static-'))
  onTestFinished(() => rm(staticFolder, { recursive: true, force: true }))
  await makeTree(staticFolder, {
    'index.html': 'template',
    '.secret': 'x',
    assets: {
      'index-Ab3_x9-Q.js': script,
      'index-Ab3_x9-Q.js.br': brotliCompressSync(script),
      'index-Ab3_x9-Q.js.gz': gzipSync(script),
      'index-Ab3_x9-Q.js.map': '{}',
      'main.css': 'a{}',
      'logo.svg': '<svg/>',
      'a b.txt': 'spaced',
    },
  })
  return startHttpServer({ options: { staticFolder } })
}

test('files of the build are sent with their media type, and are immutable when their name contains a content hash', async () => {
  const { fetch } = await withStatic()
  const facts = async (address: string) => {
    const { headers, status } = await fetch(address, {
      headers: { 'x-auth': '', 'accept-encoding': 'identity' },
    })
    return [status, headers.get('content-type'), headers.get('cache-control')]
  }
  const forever = 'public, max-age=31536000, immutable'
  expect(await facts('/static/assets/index-Ab3_x9-Q.js')).toEqual([
    200,
    'text/javascript; charset=utf-8',
    forever,
  ])
  expect(await facts('/static/assets/main.css')).toEqual([200, 'text/css; charset=utf-8', 'public, no-cache'])
  expect(await facts('/static/assets/a%20b.txt')).toEqual([
    200,
    'text/plain; charset=utf-8',
    'public, no-cache',
  ])
})

test('compressed copies are sent instead of their files', async () => {
  const { fetch, raw } = await withStatic()
  const reply = await fetch('/static/assets/index-Ab3_x9-Q.js', { headers: { 'accept-encoding': 'gzip' } })
  expect([reply.headers.get('content-encoding'), await reply.text()]).toEqual(['gzip', script])
  const response = await raw(
    'GET /static/assets/index-Ab3_x9-Q.js HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n',
  )
  const body = Buffer.from(response.slice(response.indexOf('\r\n\r\n') + 4), 'latin1')
  expect(brotliDecompressSync(body).toString()).toBe(script)
})

test('an SVG picture is sandboxed', async () => {
  const { fetch } = await withStatic()
  const reply = await fetch('/static/assets/logo.svg')
  expect(reply.headers.get('content-security-policy')).toContain('sandbox')
})

test('a file that the browser has cached is not sent again', async () => {
  const { fetch } = await withStatic()
  const address = '/static/assets/main.css'
  const etag = (await fetch(address)).headers.get('etag') ?? ''
  const reply = await fetch(address, { headers: { 'if-none-match': etag } })
  expect([reply.status, await reply.text()]).toEqual([304, ''])
})

const main = 'a{}'

test.each([
  [{ 'if-match': '"x"' }, 412, '412 Precondition Failed\n', null],
  [{ 'if-match': '*' }, 200, main, null],
  [{ 'if-none-match': '*' }, 304, '', null],
  [{ 'if-none-match': '"x"' }, 200, main, null],
  [{ 'if-match': '"x"', 'if-none-match': '*' }, 412, '412 Precondition Failed\n', null],
  [{ 'if-modified-since': 'Sat, 21 Nov 2099 12:00:00 GMT' }, 200, main, null],
  [{ 'if-unmodified-since': 'Sat, 21 Nov 1999 12:00:00 GMT' }, 200, main, null],
  [{ range: 'bytes=0-1' }, 206, 'a{', 'bytes 0-1/3'],
  [{ range: 'bytes=-1' }, 206, '}', 'bytes 2-2/3'],
  [{ range: 'bytes=3-' }, 416, '416 Range Not Satisfiable\n', 'bytes */3'],
  [{ range: 'rubbish' }, 200, main, null],
  [{ range: 'bytes=0-1', 'if-range': '"x"' }, 200, main, null],
  [{ range: 'bytes=0-1', 'if-range': 'Sat, 21 Nov 2099 12:00:00 GMT' }, 200, main, null],
  [{ range: 'bytes=0-1', 'if-match': '"x"' }, 412, '412 Precondition Failed\n', null],
])(
  'a request for a file of the build with the headers %j leads to the status %i',
  async (headers, status, body, contentRange) => {
    const { fetch } = await withStatic()
    const reply = await fetch('/static/assets/main.css', { headers: headersOf(headers) })
    expect([reply.status, await reply.text(), reply.headers.get('content-range')]).toEqual([
      status,
      body,
      contentRange,
    ])
  },
)

test('a file of the build can be requested in ranges, and its tag is valid in If-Range', async () => {
  const { fetch } = await withStatic()
  const address = '/static/assets/main.css'
  const whole = await fetch(address)
  const etag = whole.headers.get('etag') ?? ''
  expect([whole.headers.get('accept-ranges'), whole.headers.get('last-modified')]).toEqual(['bytes', null])
  const one = await fetch(address, { headers: { range: 'bytes=1-', 'if-range': etag, 'if-match': etag } })
  expect([one.status, await one.text(), one.headers.get('etag')]).toEqual([206, '{}', etag])
  const several = await fetch(address, { headers: { range: 'bytes=0-0,2-2' } })
  expect([several.status, several.headers.get('content-type')]).toEqual([
    206,
    expect.stringMatching(/^multipart\/byteranges; boundary=/),
  ])
  expect(await several.text()).toContain('content-range: bytes 2-2/3\r\n\r\n}')
})

test('a range of a compressed copy is a range of the compressed bytes', async () => {
  const { raw } = await withStatic()
  const response = await raw(
    'GET /static/assets/index-Ab3_x9-Q.js HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\nRange: bytes=0-1\r\nConnection: close\r\n\r\n',
  )
  expect(response).toMatch(/^HTTP\/1\.1 206 /)
  expect(response.toLowerCase()).toContain(`content-range: bytes 0-1/${gzipSync(script).length}\r\n`)
  expect(response.endsWith('\r\n\r\n\x1f\x8b')).toBe(true)
})

test('HEAD of a file of the build has the headers of GET and ignores ranges', async () => {
  const { fetch } = await withStatic()
  const reply = await fetch('/static/assets/main.css', { method: 'HEAD', headers: { range: 'bytes=0-0' } })
  expect([reply.status, reply.headers.get('content-length'), await reply.text()]).toEqual([200, '3', ''])
})

test('empty segments of a path below /static are dropped', async () => {
  const { fetch } = await withStatic()
  expect(await (await fetch('//static///assets//main.css')).text()).toBe(main)
})

test.each([
  '/static',
  '/static/',
  '/static/assets',
  '/static/assets/',
  '/static/index.html',
  '/static/.secret',
  '/static/assets/index-Ab3_x9-Q.js.map',
  '/static/assets/index-Ab3_x9-Q.js.br',
  '/static/assets/nope.js',
  '/static/..%2f..%2fetc/passwd',
])('%s leads to the status 404 and must not be cached', async (address) => {
  const { fetch } = await withStatic()
  const reply = await fetch(address)
  expect([reply.status, await reply.text(), reply.headers.get('cache-control')]).toEqual([
    404,
    '404 Not Found\n',
    'no-cache, no-store, must-revalidate',
  ])
})

test.each(['/', '/login', '/files/a%2Fb?x=1', '/share/abc', '/%zz', '/apis'])(
  '%s leads to the page',
  async (address) => {
    const html = Buffer.from('<!doctype html><title>One page</title>')
    const { fetch } = await startHttpServer({
      page: () => ({
        html,
        headers: { 'content-security-policy': "default-src 'none'", 'cache-control': 'no-cache' },
        encodings: { br: brotliCompressSync(html), gzip: gzipSync(html) },
      }),
    })
    for (const encoding of ['identity', 'gzip', 'gzip, br']) {
      const reply = await fetch(address, { headers: { 'accept-encoding': encoding, 'x-auth': '' } })
      expect([reply.status, await reply.text()]).toEqual([200, html.toString()])
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      })
    }
  },
)

test.each([
  ['plain http at a name of the network', '', null],
  ['plain http on the own machine', 'Sec-Fetch-Mode: navigate\r\n', 'same-origin'],
  ['TLS of a proxy', 'X-Forwarded-Proto: https\r\n', 'same-origin'],
])('a page over %s has the policy for openers where browsers apply it', async (_, marks, policy) => {
  const { raw } = await startHttpServer({ options: { trustedProxies: ['127.0.0.1'] } })
  const head = await raw(`GET /files/ HTTP/1.1\r\nHost: nas.home\r\n${marks}Connection: close\r\n\r\n`)
  expect(/^cross-origin-opener-policy: (.*)\r$/im.exec(head)?.[1] ?? null).toBe(policy)
})
