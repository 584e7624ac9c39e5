import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../../test/kit/stub-local-storage.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import { acceptToken, becomeGuest, leaveSession, session, tokenOf, userOf } from '../state/session.ts'
import { call, CallError, callJson } from './call.ts'
import { href } from './href.ts'
import { renewSession, renewSessionAfterChange } from './renewal.ts'
import { login, logout, startSession } from './session.ts'

const tokenFor = (id: number, iat = 0) =>
  `head.${Buffer.from(JSON.stringify({ iat, user: { id, perm: {} } })).toString('base64url')}.end`

let server: Server
let respond: RequestListener
let requests: { line: string; headers: IncomingMessage['headers']; body: string }[]
const configuration = { BaseURL: '', LoginPage: true }
const kept = new Map<string, string>()

beforeAll(async () => {
  server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const line = `${request.method} ${request.url}`
      requests.push({ line, headers: request.headers, body: Buffer.concat(chunks).toString() })
      respond(request, reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  configuration.BaseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/fm`
  vi.stubGlobal('document', { querySelector: () => ({ textContent: JSON.stringify(configuration) }) })
  stubLocalStorage(kept)
})
afterAll(() => server.close())
beforeEach(() => {
  requests = []
  kept.clear()
  session.set({ kind: 'starting' })
  respond = (_, reply) => reply.end('[]')
})
afterEach(() => becomeGuest('none'))

const folder = '/a b/100%' as Path
const lines = () => requests.map(({ line }) => line)

test('the address of a call encodes each name once, and keeps the slash of a folder', () => {
  const path = href('resources.get', {
    path: folder,
    isFolder: true,
    query: { by: 'a&b', asc: true, checksum: undefined },
  })
  expect(path.slice(path.indexOf('/fm'))).toBe('/fm/api/resources/a%20b/100%25/?by=a%26b&asc=true')
  expect(href('users.get', { id: 3 })).toMatch(/\/fm\/api\/users\/3$/)
  expect(href('resources.get', { path: root })).toMatch(/\/fm\/api\/resources\/$/)
})

test('a call carries the token and the origin of the tab', async () => {
  acceptToken(tokenFor(1))
  expect(await callJson('resources.get', { path: folder })).toEqual([])
  expect(requests[0]).toMatchObject({
    line: 'GET /fm/api/resources/a%20b/100%25',
    headers: { 'x-auth': tokenFor(1), 'x-origin': expect.stringMatching(/^[\da-f]{24}$/) as string },
  })
})

test('an object is sent as JSON, bytes as they are', async () => {
  await call('users.update', { id: 1, body: { what: 'user', data: {} } })
  await call('resources.create', { path: folder, body: new Uint8Array([104, 105]) })
  expect(requests.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
    ['application/json', '{"what":"user","data":{}}'],
    [undefined, 'hi'],
  ])
})

test('a refusal throws an error with status, code and waiting time', async () => {
  respond = (_, reply) =>
    reply.writeHead(429, { 'x-error': 'too-many-tries', 'retry-after': '9' }).end('429 Too Many\n')
  const thrown = await call('resources.get', { path: root }).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(CallError)
  expect(thrown).toMatchObject({
    status: 429,
    code: 'too-many-tries',
    retryAfterSeconds: 9,
  })
})

test('a refusal tells which value is refused, and how long it has to be', async () => {
  const facts = { 'x-refused': 'short-password', 'x-minimum-length': '12' }
  respond = (_, reply) => reply.writeHead(400, facts).end('400 Bad Request\n')
  await expect(call('settings.get')).rejects.toMatchObject({ refused: 'short-password', minimumLength: 12 })
  respond = (_, reply) => reply.writeHead(400, { 'x-refused': 'a-later-value' }).end('400 Bad Request\n')
  await expect(call('settings.get')).rejects.toMatchObject({ refused: null, minimumLength: null })
})

test.each(['a-later-code', 'constructor', ''])('the unknown error code %j is ignored', async (code) => {
  respond = (_, reply) => reply.writeHead(404, { 'x-error': code }).end('404 Not Found\n')
  await expect(call('resources.get', { path: root })).rejects.toMatchObject({ status: 404, code: null })
})

test('an unreachable server throws an error with status 0', async () => {
  respond = (request) => request.socket.destroy()
  await expect(call('resources.get', { path: root })).rejects.toMatchObject({ status: 0, code: null })
})

test('a cancelled call is an AbortError, not a failure', async () => {
  const controller = new AbortController()
  respond = () => controller.abort()
  await expect(call('resources.get', { path: root, signal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a refused call waits for the login of the same user, and is repeated with the new token', async () => {
  acceptToken(tokenFor(1))
  respond = ({ headers }, reply) =>
    headers['x-auth'] === tokenFor(1) ? reply.writeHead(401).end() : reply.end('["again"]')
  const listing = callJson('resources.get', { path: folder })
  await vi.waitFor(() => expect(session.get().kind).toBe('ended'))
  expect([tokenOf(), userOf()?.id]).toEqual([null, 1])
  const begunMeanwhile = callJson('resources.get', { path: root })
  acceptToken(tokenFor(1, 2))
  expect([await listing, await begunMeanwhile]).toEqual([['again'], ['again']])
  expect(requests.map(({ headers }) => headers['x-auth'])).toEqual([
    tokenFor(1),
    tokenFor(1, 2),
    tokenFor(1, 2),
  ])
})

test('a call that waits for a login is aborted when another user logs in, and is never sent as theirs', async () => {
  acceptToken(tokenFor(1))
  respond = (_, reply) => reply.writeHead(401).end()
  const listing = call('resources.get', { path: folder }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(session.get().kind).toBe('ended'))
  acceptToken(tokenFor(2))
  expect(await listing).toMatchObject({ name: 'AbortError' })
  expect(requests).toHaveLength(1)
})

test('a logout aborts the calls in flight', async () => {
  acceptToken(tokenFor(1))
  respond = (request, reply) => {
    if (request.url?.endsWith('/logout')) reply.end()
  }
  const listing = call('resources.get', { path: root }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  await logout()
  expect(await listing).toMatchObject({ name: 'AbortError' })
})

test('the refusal of an older token does not end the session, and the call is repeated with the newer one', async () => {
  acceptToken(tokenFor(1))
  respond = ({ headers }, reply) => {
    if (headers['x-auth'] !== tokenFor(1)) return reply.end('[]')
    acceptToken(tokenFor(1, 2))
    return reply.writeHead(401).end()
  }
  expect(await callJson('resources.get', { path: root })).toEqual([])
  expect(tokenOf()).toBe(tokenFor(1, 2))
})

test('a renewal that arrives after another user has logged in is ignored', async () => {
  acceptToken(tokenFor(1))
  respond = ({ url }, reply) => {
    if (url?.endsWith('/renew')) setTimeout(() => reply.end(tokenFor(1, 5)), 30)
    else reply.writeHead(200, { 'x-renew-token': 'true' }).end('[]')
  }
  await call('resources.get', { path: root })
  acceptToken(tokenFor(2))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(tokenOf()).toBe(tokenFor(2))
})

test('answers that ask for a renewal share one', async () => {
  acceptToken(tokenFor(1))
  respond = ({ url }, reply) => {
    if (url?.endsWith('/renew')) setTimeout(() => reply.end(tokenFor(1, 5)), 30)
    else reply.writeHead(200, { 'x-renew-token': 'true' }).end('[]')
  }
  await Promise.all([
    call('resources.get', { path: root }),
    call('resources.get', { path: root }),
    call('resources.get', { path: root }),
  ])
  await vi.waitFor(() => expect(tokenOf()).toBe(tokenFor(1, 5)))
  expect(lines().filter((line) => line === 'POST /fm/api/renew')).toHaveLength(1)
})

test('rights that change while a session is renewed are in the token of another renewal', async () => {
  acceptToken(tokenFor(1))
  let renewals = 0
  respond = (_, reply) => {
    renewals += 1
    const token = tokenFor(1, renewals)
    setTimeout(() => reply.end(token), 30)
  }
  await Promise.all([renewSession(), renewSessionAfterChange(), renewSessionAfterChange()])
  expect([renewals, tokenOf()]).toEqual([2, tokenFor(1, 2)])
})

test('at start the saved token is renewed', async () => {
  kept.set('jwt', tokenFor(1))
  respond = (_, reply) => reply.end(`${tokenFor(1, 3)}\n`)
  await startSession()
  expect([lines(), requests[0]?.headers['x-auth'], tokenOf()]).toEqual([
    ['POST /fm/api/renew'],
    tokenFor(1),
    tokenFor(1, 3),
  ])
})

test('a saved token that no longer counts leads to the login, without a word', async () => {
  kept.set('jwt', tokenFor(1))
  respond = (_, reply) => reply.writeHead(401).end()
  await startSession()
  expect(session.get()).toEqual({ kind: 'guest', reason: 'none' })
})

test('a server that is away at start leaves it open who is here, and the token in its place', async () => {
  kept.set('jwt', tokenFor(1))
  respond = (request) => request.socket.destroy()
  await expect(startSession()).rejects.toMatchObject({ status: 0 })
  expect([session.get().kind, kept.get('jwt')]).toEqual(['starting', tokenFor(1)])
})

test('a refused login throws and signs nobody in; a right one does', async () => {
  respond = (_, reply) => reply.writeHead(403).end('403 Forbidden\n')
  await expect(login({ username: 'ann', password: 'x' })).rejects.toMatchObject({ status: 403 })
  expect(tokenOf()).toBe(null)
  respond = (_, reply) => reply.end(tokenFor(2))
  await login({ username: 'ann', password: 'right' })
  expect([tokenOf(), requests.at(-1)?.body]).toEqual([
    tokenFor(2),
    '{"username":"ann","password":"right","recaptcha":""}',
  ])
})

test('logging out tells the server, and ends here even without it', async () => {
  acceptToken(tokenFor(1))
  await logout()
  expect([lines(), requests[0]?.headers['x-auth'], tokenOf()]).toEqual([
    ['POST /fm/api/logout'],
    tokenFor(1),
    null,
  ])
  acceptToken(tokenFor(1))
  respond = (request) => request.socket.destroy()
  await logout()
  expect(session.get()).toEqual({ kind: 'guest', reason: 'logged-out' })
})

test('a refusal of a guest does not change why nobody is signed in', async () => {
  acceptToken(tokenFor(1))
  leaveSession()
  respond = (_, reply) => reply.writeHead(401).end()
  await call('resources.get', { path: root }).catch(() => undefined)
  expect(session.get()).toEqual({ kind: 'guest', reason: 'logged-out' })
})
