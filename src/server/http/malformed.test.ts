import { expect, test } from 'vitest'
import { getRaw } from '../../shared/contract/raw.ts'
import {
  createResource,
  getResource,
  removeResource,
  transferResource,
} from '../../shared/contract/resources.ts'
import { login } from '../../shared/contract/sessions.ts'
import { getHealth } from '../../shared/contract/server.ts'
import { getUser, updateUser } from '../../shared/contract/users.ts'
import { startHttpServer } from '../../../test/kit/start-http-server.ts'
import { done, route } from './route.ts'

const echoRoutes = [
  route(getHealth, async () => done),
  route(getRaw, async () => done),
  route(getResource, async ({ path, isFolder, query }) => ({
    kind: 'json',
    json: { path, isFolder, query },
  })),
  route(createResource, async ({ bytes, sizeBytes }) => {
    let total = 0
    for await (const chunk of bytes) total += chunk.length
    return { kind: 'json', json: { total, sizeBytes: sizeBytes ?? null } }
  }),
  route(removeResource, async () => done),
  route(transferResource, async ({ query }) => ({ kind: 'json', json: query })),
  route(getUser, async ({ params: { id } }) => ({ kind: 'json', json: id })),
  route(updateUser, async ({ body }) => ({ kind: 'json', json: body })),
  route(login, async ({ body }) => ({ kind: 'json', json: { body: body ?? null } })),
]

const head = 'Host: h\r\nX-Auth: x.ann.y\r\nConnection: close\r\n'
const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? 0)
const bodyOf = (response: string) => response.slice(response.indexOf('\r\n\r\n') + 4)

test.each([
  ['GET /api/resources HTTP/1.1', 200, '{"path":"/","isFolder":true,"query":{}}'],
  ['GET /api/resources/a%20b%2B HTTP/1.1', 200, '{"path":"/a b+","isFolder":false,"query":{}}'],
  ['GET //api/resources/a HTTP/1.1', 200, '{"path":"/a","isFolder":false,"query":{}}'],
  ['GET /api//resources/a HTTP/1.1', 200, '{"path":"/a","isFolder":false,"query":{}}'],
  ['GET //api///resources// HTTP/1.1', 200, '{"path":"/","isFolder":true,"query":{}}'],
  ['GET //api//nope HTTP/1.1', 404, '404 Not Found\n'],
  ['GET //elsewhere.example/api/resources/a HTTP/1.1', 200, '<!doctype html>'],
  ['GET /%2Fapi/resources/a HTTP/1.1', 200, '<!doctype html>'],
  ['GET /api/resources//a///b/ HTTP/1.1', 200, '{"path":"/a/b","isFolder":true,"query":{}}'],
  ['GET http://elsewhere.example/api/resources/a HTTP/1.1', 200, '{"path":"/a","isFolder":false,"query":{}}'],
  ['GET /api/resources/a;b HTTP/1.1', 200, '{"path":"/a;b","isFolder":false,"query":{}}'],
  ['GET /api/resources/caf\xc3\xa9 HTTP/1.1', 400, '400 Bad Request\n'],
  ['GET /api/resources/a%00 HTTP/1.1', 400, '400 Bad Request (the path is malformed)\n'],
  ['GET /api/resources/% HTTP/1.1', 400, '400 Bad Request (the path is malformed)\n'],
  ['GET /api/resources/%zz HTTP/1.1', 400, '400 Bad Request (the path is malformed)\n'],
  ['GET /api/resources/a%2Fb HTTP/1.1', 400, '400 Bad Request (the path is malformed)\n'],
  ['GET /api/resources/../a HTTP/1.1', 400, '400 Bad Request (the path is malformed)\n'],
  ['GET /api/resources/%2e%2E/a HTTP/1.1', 400, '400 Bad Request (the path is malformed)\n'],
  ['GET /api/resources/. HTTP/1.1', 400, '400 Bad Request (the path is malformed)\n'],
  [`GET /api/resources/${'a'.repeat(256)} HTTP/1.1`, 400, '400 Bad Request (the path is malformed)\n'],
  [`GET /api/resources/${'a/'.repeat(1025)} HTTP/1.1`, 400, '400 Bad Request (the path is malformed)\n'],
  ['GET /api/users/99 HTTP/1.1', 403, '403 Forbidden\n'],
  ['GET /api/users/0 HTTP/1.1', 404, '404 Not Found\n'],
  ['GET /api/users/% HTTP/1.1', 404, '404 Not Found\n'],
  ['GET /%zz HTTP/1.1', 200, '<!doctype html>'],
  ['GET * HTTP/1.1', 400, '400 Bad Request (the URL is malformed)\n'],
  ['OPTIONS * HTTP/1.1', 400, '400 Bad Request (the URL is malformed)\n'],
  ['OPTIONS /api/resources/a HTTP/1.1', 405, '405 Method Not Allowed\n'],
  ['PUT /api/login HTTP/1.1', 405, '405 Method Not Allowed\n'],
  ['TRACE /api/login HTTP/1.1', 405, '405 Method Not Allowed\n'],
  ['PROPFIND /api/resources/ HTTP/1.1', 405, '405 Method Not Allowed\n'],
  ['QUERY /api/resources/ HTTP/1.1', 405, '405 Method Not Allowed\n'],
  ['PROPFIND / HTTP/1.1', 404, '404 Not Found\n'],
  ['POST / HTTP/1.1', 404, '404 Not Found\n'],
  ['GET /static/a.js HTTP/1.1', 404, '404 Not Found\n'],
  ['GET /static/%zz HTTP/1.1', 400, '400 Bad Request\n'],
  ['GET /resources.get HTTP/1.1', 200, '<!doctype html>'],
  ['GET /refusal HTTP/1.1', 200, '<!doctype html>'],
  ['PATCH /api/resources/a?destination=%252Fx%2520y HTTP/1.1', 200, '{"destination":"%2Fx%20y"}'],
  ['PATCH /api/resources/a?action=a+b&other=1 HTTP/1.1', 200, '{"action":"a b"}'],
  ['PATCH /api/resources/a?__proto__=1&action HTTP/1.1', 200, '{"action":""}'],
  ['PATCH /api/resources/a?action=1&action=2 HTTP/1.1', 400, '400 Bad Request (a query key occurs twice)\n'],
  ['PATCH /api/resources/a?b=1&b=2 HTTP/1.1', 400, '400 Bad Request (a query key occurs twice)\n'],
  [
    'PATCH /api/resources/a?a%63tion=1&action=2 HTTP/1.1',
    400,
    '400 Bad Request (a query key occurs twice)\n',
  ],
  ['PATCH /api/resources/a?action=%zz HTTP/1.1', 400, '400 Bad Request (the query is malformed)\n'],
])('%s', async (line, status, body) => {
  const { raw } = await startHttpServer({ routes: echoRoutes })
  const response = await raw(Buffer.from(`${line}\r\n${head}Content-Length: 0\r\n\r\n`, 'latin1'))
  expect(bodyOf(response)).toBe(body)
  expect(statusOf(response)).toBe(status)
})

test.each([
  ['a line that is not a request', 'hello there\r\n\r\n', 400],
  ['an unknown method', `FETCH / HTTP/1.1\r\n${head}\r\n`, 400],
  ['an unknown version', `GET / HTTP/9.9\r\n${head}\r\n`, 400],
  ['a request without a host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two hosts', `GET /health HTTP/1.1\r\nHost: i\r\n${head}\r\n`, 400],
  ['a head that is too large', `GET /health HTTP/1.1\r\n${head}X-Big: ${'a'.repeat(300_000)}\r\n\r\n`, 431],
  ['an address that is too long', `GET /${'a'.repeat(300_000)} HTTP/1.1\r\n${head}\r\n`, 431],
  ['two lengths', `POST /api/login HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
  ['a negative length', `POST /api/login HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n`, 400],
  [
    'a length and a chunked body',
    `POST /api/login HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    'a malformed chunk',
    `POST /api/resources/a HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
  ],
  ['a header without a name', `GET /health HTTP/1.1\r\n${head}: x\r\n\r\n`, 400],
  ['NUL in a header', `GET /health HTTP/1.1\r\n${head}X-A: a\0b\r\n\r\n`, 400],
  ['NUL in the address', `GET /a\0b HTTP/1.1\r\n${head}\r\n`, 400],
  ['CONNECT', `CONNECT h:443 HTTP/1.1\r\n${head}\r\n`, 0],
  [
    'an encoded body',
    `POST /api/resources/a HTTP/1.1\r\n${head}Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx`,
    415,
  ],
  [
    'an upgrade to an unknown protocol',
    `GET /health HTTP/1.1\r\n${head.replace('close', 'upgrade')}Upgrade: h2c\r\n\r\n`,
    200,
  ],
  ['a client with HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n', 200],
])('%s gets a response, and so does the next request', async (_case, bytes, status) => {
  const { raw, fetch, lines } = await startHttpServer({ routes: echoRoutes })
  const response = await raw(Buffer.from(bytes, 'latin1'))
  expect(statusOf(response)).toBe(status)
  expect(lines).toHaveLength(status >= 400 ? 1 : 0)
  expect(/^\d{3} [A-Z][A-Za-z -]+( \(.*\))?\n$/.test(bodyOf(response))).toBe(status > 0)
  expect(response.toLowerCase().includes('x-content-type-options: nosniff')).toBe(status > 0)
  expect((await fetch('/health')).status).toBe(200)
})

test('405 lists the allowed methods', async () => {
  const { fetch } = await startHttpServer({ routes: echoRoutes })
  const reply = await fetch('/api/users/1', { method: 'DELETE' })
  expect([reply.status, reply.headers.get('allow'), reply.headers.get('x-error')]).toEqual([
    405,
    'GET, HEAD, PUT',
    'method-not-allowed',
  ])
})

const comparable = (reply: Response) =>
  [...reply.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))

test('HEAD has the headers of GET and no body on every route', async () => {
  const { fetch } = await startHttpServer({ routes: echoRoutes })
  for (const address of ['/health', '/api/resources/a', '/files/a', '/api/nope', '/api/users/0']) {
    const [get, headed] = await Promise.all([fetch(address), fetch(address, { method: 'HEAD' })])
    expect([headed.status, await headed.text()]).toEqual([get.status, ''])
    expect(comparable(headed)).toEqual(comparable(get))
  }
})

test('with a configured base path, the routes respond with and without the base path', async () => {
  const { fetch } = await startHttpServer({ routes: echoRoutes, options: { basePath: '/fb' } })
  const statuses = async (...addresses: string[]) =>
    Promise.all(addresses.map(async (address) => (await fetch(address)).headers.get('content-type')))
  const json = 'application/json; charset=utf-8'
  expect(await statuses('/fb/api/resources/a', '/api/resources/a', '/fbx/api/resources/a')).toEqual([
    json,
    json,
    'text/html; charset=utf-8',
  ])
  expect(await statuses('//fb//api//resources/a', '/fb//fb/api/resources/a')).toEqual([
    json,
    'text/html; charset=utf-8',
  ])
})

const depth = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test.each([
  ['matches the schema', '{"what":"user","data":{"a":1}}', 200],
  ['has unknown keys', '{"what":"user","data":{},"more":1}', 200],
  ['has brackets in strings', `{"what":"user","data":{"a":"${'[{'.repeat(50)}\\"["}}`, 200],
  ['nests 32 deep', `{"what":"user","data":{"a":${depth(30)}}}`, 200],
  ['nests 33 deep', `{"what":"user","data":{"a":${depth(31)}}}`, 400],
  ['nests a million deep', depth(400_000), 400],
  ['is empty', '', 400],
  ['is not JSON', '{what:"user"}', 400],
  ['is followed by a character', '{"what":"user","data":{}}x', 200],
  ['is followed by a second value', '{"what":"user","data":{}}{"what":1}', 200],
  [
    'is followed by arbitrary bytes',
    Buffer.from(`{"what":"user","data":{}} \xff"${'['.repeat(50)}`, 'latin1'),
    200,
  ],
  ['follows a character', 'x{"what":"user","data":{}}', 400],
  ['follows a bracket', ']{"what":"user","data":{}}', 400],
  ['is incomplete', '{"what":"user","data":{}', 400],
  ['is not UTF-8', Buffer.from('{"what":"\xff","data":{}}', 'latin1'), 400],
  ['has other keys', '{"What":"user","data":{}}', 400],
  ['has the wrong types', '{"what":1,"data":{}}', 400],
  ['is a list', '[]', 400],
  ['is null', 'null', 400],
  ['is too large', `{"what":"user","data":{"a":"${'a'.repeat(1024 * 1024)}"}}`, 413],
])('JSON that %s', async (_case, body, status) => {
  const { fetch } = await startHttpServer({ routes: echoRoutes })
  for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-type': 'rubbish/;;' }]) {
    const reply = await fetch('/api/users/2', { method: 'PUT', body, headers: { ...headers } })
    expect(reply.status).toBe(status)
  }
})

test('the limit for JSON also applies to chunked bodies of unknown length', async () => {
  const { raw } = await startHttpServer({ routes: echoRoutes })
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
  const response = await raw(
    `POST /api/login HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(2)}0\r\n\r\n`,
  )
  expect(statusOf(response)).toBe(413)
})

test('a body that is not JSON counts as missing when the endpoint allows a missing body', async () => {
  const { fetch } = await startHttpServer({ routes: echoRoutes })
  for (const body of ['', 'user=ann', depth(40)]) {
    const reply = await fetch('/api/login', { method: 'POST', body })
    expect([reply.status, await reply.json()]).toEqual([200, { body: null }])
  }
})

test('1.9: a login is accepted whatever follows its JSON value', async () => {
  const { fetch } = await startHttpServer({ routes: echoRoutes })
  const body = '{"username":"ann","password":"}\\"]"} trailing'
  const reply = await fetch('/api/login', { method: 'POST', body })
  expect(await reply.json()).toEqual({ body: { username: 'ann', password: '}"]' } })
})

test('the response to a malformed HEAD request has no body', async () => {
  const { raw } = await startHttpServer({ routes: echoRoutes })
  const response = await raw(Buffer.from(`HEAD /api/resources/caf\xe9 HTTP/1.1\r\n${head}\r\n`, 'latin1'))
  expect([statusOf(response), bodyOf(response)]).toEqual([400, ''])
})
