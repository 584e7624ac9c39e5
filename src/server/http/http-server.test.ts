import { expect, test } from 'vitest'
import { getHealth } from '../../shared/contract/server.ts'
import { getRaw } from '../../shared/contract/raw.ts'
import { createResource, getResource, removeResource } from '../../shared/contract/resources.ts'
import { login, logout } from '../../shared/contract/sessions.ts'
import { getUser, updateUser } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { fileOf, startHttpServer, eventually } from '../../../test/kit/start-http-server.ts'
import { done, route } from './route.ts'

/** Routes that respond with the parsed request. */
const echoRoutes = [
  route(getHealth, async () => ({ kind: 'json', json: { status: 'OK' } })),
  route(getResource, async ({ path, isFolder, caller }) => ({
    kind: 'json',
    json: { path, isFolder, user: caller.user.username },
  })),
  route(removeResource, async () => done),
  route(getUser, async ({ params: { id } }) => ({ kind: 'json', json: { id } })),
  route(updateUser, async ({ body }) => ({ kind: 'json', json: body })),
  route(login, async ({ body }) => ({ kind: 'text', text: JSON.stringify(body) ?? 'nothing' })),
  route(logout, async () => ({ kind: 'status', cookies: ['auth=; Max-Age=0', 'b=1'] })),
]

test('each kind of response has its content type and the headers of every response', async () => {
  const file = await fileOf('a.txt', 'hello')
  const { fetch } = await startHttpServer({
    routes: [
      ...echoRoutes,
      route(getRaw, async () => ({ kind: 'file', file: await file.open(), isInline: false })),
      route(createResource, async ({ bytes }) => {
        let text = ''
        for await (const chunk of bytes) text += Buffer.from(chunk).toString()
        return {
          kind: 'stream',
          contentType: 'application/x-ndjson',
          chunks: (async function* () {
            yield 'first '
            yield text
          })(),
        }
      }),
    ],
  })
  const health = await fetch('/health')
  expect([health.status, await health.text(), health.headers.get('content-type')]).toEqual([
    200,
    '{"status":"OK"}',
    'application/json; charset=utf-8',
  ])
  expect(Object.fromEntries(health.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache, no-store, must-revalidate',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  const removed = await fetch('/api/resources/a', { method: 'DELETE' })
  expect([removed.status, await removed.text(), removed.headers.get('content-type')]).toEqual([
    200,
    '200 OK\n',
    'text/plain; charset=utf-8',
  ])
  const left = await fetch('/api/logout', { method: 'POST' })
  expect(left.headers.getSetCookie()).toEqual(['auth=; Max-Age=0', 'b=1'])
  const pieces = await fetch('/api/resources/a', { method: 'POST', body: 'and last' })
  expect(await pieces.text()).toBe('first and last')
  const raw = await fetch('/api/raw/a.txt')
  expect([raw.status, await raw.text(), raw.headers.get('etag')]).toEqual([200, 'hello', '"e1"'])
  await eventually(() => file.openHandles() === 0)
})

test('the response to an unknown error contains only a request id, which the log also contains', async () => {
  const { fetch, lines } = await startHttpServer({
    routes: [
      route(getHealth, async () => {
        throw new Error('the secret\nof the house')
      }),
    ],
  })
  const reply = await fetch('/health')
  const id = reply.headers.get('x-request-id') ?? 'none'
  expect([reply.status, reply.headers.get('x-error'), await reply.text()]).toEqual([
    500,
    'internal',
    '500 Internal Server Error\n',
  ])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(id)
  expect(lines[0]).toContain('the secret\\nof the house')
})

test('the reason of a failure is sent with the statuses 400 and 507 only', async () => {
  let code: 'bad-request' | 'no-space' | 'forbidden' = 'bad-request'
  const { fetch } = await startHttpServer({
    routes: [
      route(getHealth, async () => {
        throw new AppError(code, { reason: 'why\nnot', retryAfterSeconds: 7 })
      }),
    ],
  })
  const bad = await fetch('/health')
  expect([await bad.text(), bad.headers.get('retry-after')]).toEqual(['400 Bad Request (why not)\n', '7'])
  code = 'no-space'
  expect(await (await fetch('/health')).text()).toBe('507 Insufficient Storage (why not)\n')
  code = 'forbidden'
  expect(await (await fetch('/health')).text()).toBe('403 Forbidden\n')
})

test('the end of each request is reported, except for health checks, which monitoring repeats forever', async () => {
  let ends = 0
  const { fetch } = await startHttpServer({
    routes: echoRoutes,
    onRequestEnd: () => (ends += 1),
  })
  await (await fetch('/health')).text()
  await (await fetch('/a-page')).text()
  await eventually(() => ends > 0)
  expect(ends).toBe(1)
})
