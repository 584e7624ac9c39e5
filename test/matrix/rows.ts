import { Check } from 'typebox/value'
import { expect } from 'vitest'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import { addressOf, methodOf, sampleOf, takesPath } from './samples.ts'
import type { MatrixContext } from './world.ts'

/** A row of the matrix: a refusal or rule that is the same for all endpoints to which it applies. */
export type MatrixRow = {
  readonly title: string
  readonly concerns: (endpoint: Endpoint) => boolean
  readonly expectIn: (world: MatrixContext, endpoint: Endpoint) => Promise<void>
}

/** Refusals as a client receives them: status, error code and text. */
const refusal = {
  notSignedIn: [401, 'not-signed-in', '401 Unauthorized\n'],
  forbidden: [403, 'forbidden', '403 Forbidden\n'],
  twice: [400, 'bad-request', '400 Bad Request (a query key is given twice)\n'],
  encoded: [415, 'encoded-body', '415 Unsupported Media Type\n'],
  malformed: [400, 'bad-request', '400 Bad Request (the path is malformed)\n'],
} as const

async function expectRefused(
  endpoint: Endpoint,
  asked: Promise<Response>,
  [status, code, text]: readonly unknown[],
): Promise<void> {
  const reply = await asked
  const seen = [reply.status, reply.headers.get('x-error'), await reply.text()]
  expect(seen).toEqual([status, code, methodOf(endpoint) === 'HEAD' ? '' : text])
}

const isRead = (endpoint: Endpoint): boolean => ['GET', 'HEAD'].includes(methodOf(endpoint))
const takesLogin = ({ audience }: Endpoint): boolean => audience !== 'anyone'
const isNarrowed = (endpoint: Endpoint): boolean => takesLogin(endpoint) && takesPath(endpoint)
const takesTokenInQuery = (endpoint: Endpoint): boolean =>
  isRead(endpoint) && endpoint.takesTokenInQuery === true

const whoMayCall: readonly MatrixRow[] = [
  {
    title: 'needs no login',
    concerns: ({ audience }) => audience === 'anyone',
    async expectIn(world, endpoint) {
      expect((await world.ask(endpoint, { by: null })).status).not.toBe(401)
    },
  },
  {
    title: 'not signed in: 401',
    concerns: takesLogin,
    expectIn: (world, endpoint) =>
      expectRefused(endpoint, world.ask(endpoint, { by: null }), refusal.notSignedIn),
  },
  {
    title: 'a token that is none: 401',
    concerns: takesLogin,
    expectIn(world, endpoint) {
      const by = { token: 'a.b.c', user: world.person('ann').user }
      return expectRefused(endpoint, world.ask(endpoint, { by }), refusal.notSignedIn)
    },
  },
  {
    title: 'a revoked session: 401',
    concerns: takesLogin,
    async expectIn(world, endpoint) {
      const by = await world.app.signIn(endpoint.audience === 'admin' ? 'ada' : 'ann')
      await by.call('sessions.logout')
      await expectRefused(endpoint, world.ask(endpoint, { by }), refusal.notSignedIn)
    },
  },
  {
    title: 'a token in the address, where it does not count: 401',
    concerns: (endpoint) => takesLogin(endpoint) && !takesTokenInQuery(endpoint),
    expectIn(world, endpoint) {
      const query = `auth=${world.callerOf(endpoint).token}`
      return expectRefused(endpoint, world.ask(endpoint, { by: null, query }), refusal.notSignedIn)
    },
  },
  {
    title: 'a token in the address, where it counts: let in',
    concerns: takesTokenInQuery,
    async expectIn(world, endpoint) {
      const query = `auth=${world.callerOf(endpoint).token}`
      expect((await world.ask(endpoint, { by: null, query })).status).not.toBe(401)
    },
  },
  {
    title: 'a change with the cookie alone: 401',
    concerns: (endpoint) =>
      takesLogin(endpoint) && !isRead(endpoint) && endpoint.takesCookieForChange !== true,
    expectIn(world, endpoint) {
      const headers = { cookie: `auth=${world.callerOf(endpoint).token}`, 'sec-fetch-site': 'same-origin' }
      return expectRefused(endpoint, world.ask(endpoint, { by: null, headers }), refusal.notSignedIn)
    },
  },
  {
    title: 'a change that a foreign page asks for: 403',
    concerns: (endpoint) => !isRead(endpoint),
    expectIn(world, endpoint) {
      const headers = { origin: 'https://elsewhere.example' }
      const asked = world.ask(endpoint, { by: world.callerOf(endpoint), headers })
      return expectRefused(endpoint, asked, refusal.forbidden)
    },
  },
]

const whatTheyMay: readonly MatrixRow[] = [
  {
    title: 'no administrator: 403',
    concerns: ({ audience }) => audience === 'admin',
    expectIn: (world, endpoint) =>
      expectRefused(endpoint, world.ask(endpoint, { by: world.person('ann') }), refusal.forbidden),
  },
  {
    title: "somebody else's, there or not: 403",
    concerns: ({ audience }) => audience === 'self-or-admin',
    async expectIn(world, endpoint) {
      const by = world.person('ann')
      for (const id of [world.person('ada').user.id, 999_999])
        await expectRefused(endpoint, world.ask(endpoint, { by, id }), refusal.forbidden)
    },
  },
  {
    title: 'without the permission that it needs: 403',
    concerns: ({ needs }) => needs !== undefined,
    expectIn(world, endpoint) {
      const by = world.person(`without-${endpoint.needs}`)
      return expectRefused(endpoint, world.ask(endpoint, { by }), refusal.forbidden)
    },
  },
  {
    title: 'a path that a rule hides, there or not: 403',
    concerns: isNarrowed,
    expectIn: (world, endpoint) =>
      expectHidden(world, endpoint, ['/hidden/a.txt', '/hidden/none.txt', '/hidden/no/deeper']),
  },
  {
    title: 'a path through a link that leads out, there or not: 403',
    concerns: isNarrowed,
    expectIn: (world, endpoint) =>
      expectHidden(world, endpoint, ['/out/a.txt', '/out/none.txt', '/out/deep', '/out/no/deeper']),
  },
  {
    title: 'a destination that is hidden or leads out, there or not: 403',
    concerns: (endpoint) => sampleOf(endpoint).query?.['destination'] !== undefined,
    async expectIn(world, endpoint) {
      for (const destination of ['/hidden/new.txt', '/hidden/a.txt', '/out/new.txt', '/out/a.txt']) {
        const query = new URLSearchParams({ ...sampleOf(endpoint).query, destination }).toString()
        const asked = world.ask(endpoint, { by: world.callerOf(endpoint), query })
        await expectRefused(endpoint, asked, refusal.forbidden)
      }
    },
  },
]

/**
 * Asserts that the response does not depend on whether the hidden entry exists. It must be a refusal, or the response that
 * the sample specifies.
 */
async function expectHidden(
  world: MatrixContext,
  endpoint: Endpoint,
  paths: readonly string[],
): Promise<void> {
  const by = world.callerOf(endpoint)
  const { hiddenResponse = refusal.forbidden } = sampleOf(endpoint)
  for (const path of paths) await expectRefused(endpoint, world.ask(endpoint, { by, path }), hiddenResponse)
}

const whatIsMalformed: readonly MatrixRow[] = [
  {
    title: 'a malformed path: 400',
    concerns: isNarrowed,
    async expectIn(world, endpoint) {
      const by = world.callerOf(endpoint)
      for (const rest of ['/%zz', '/a%2Fb', '/a%00b', `/${'a'.repeat(256)}`])
        await expectRefused(endpoint, world.ask(endpoint, { by, rest }), refusal.malformed)
    },
  },
  {
    title: 'a key of the query twice: 400',
    concerns: () => true,
    expectIn(world, endpoint) {
      const asked = world.ask(endpoint, { by: world.callerOf(endpoint), query: 'k=1&k=2' })
      return expectRefused(endpoint, asked, refusal.twice)
    },
  },
  {
    title: 'a body with a Content-Encoding: 415',
    concerns: ({ body }) => body !== 'none',
    expectIn(world, endpoint) {
      const headers = { 'content-encoding': 'gzip' }
      const asked = world.ask(endpoint, { by: world.callerOf(endpoint), headers, body: 'x' })
      return expectRefused(endpoint, asked, refusal.encoded)
    },
  },
  {
    title: 'JSON that does not fit: 400',
    concerns: ({ body, schema = {} }) => body === 'json' && !Check(schema, 'a text'),
    async expectIn(world, endpoint) {
      const deep = '['.repeat(64) + ']'.repeat(64)
      for (const body of ['{', '"a text"', '17', deep]) {
        const reply = await world.ask(endpoint, { by: world.callerOf(endpoint), body })
        expect([body, reply.status, reply.headers.get('x-error')]).toEqual([body, 400, 'bad-request'])
      }
    },
  },
  {
    title: 'JSON that is too large: 413',
    concerns: ({ body }) => body === 'json',
    async expectIn(world, endpoint) {
      const body = JSON.stringify('x'.repeat(endpoint.maxBodyBytes ?? 1024 * 1024))
      const reply = await world.ask(endpoint, { by: world.callerOf(endpoint), body })
      expect([reply.status, reply.headers.get('x-error')]).toEqual([413, 'too-large'])
    },
  },
  {
    title: 'a method that no call has there: 405, with those that are',
    // Any web page may check whether the server is alive (contract 8.1).
    concerns: ({ route }) => route !== 'health.get',
    async expectIn(world, endpoint) {
      const known = methodsAt(endpoint)
      for (const method of methods.filter((method) => !known.has(method))) {
        const reply = await world.ask(endpoint, { by: world.callerOf(endpoint), method, query: '' })
        expect([reply.status, reply.headers.get('x-error')]).toEqual([405, 'method-not-allowed'])
        expect(new Set(reply.headers.get('allow')?.split(', '))).toEqual(known)
      }
    },
  },
  {
    title: 'HEAD: the headers of GET, and no body',
    concerns: (endpoint) => methodOf(endpoint) === 'GET',
    async expectIn(world, endpoint) {
      const by = world.callerOf(endpoint)
      const get = await world.ask(endpoint, { by })
      const head = await world.ask(endpoint, { by, method: 'HEAD' })
      await get.arrayBuffer()
      expect([head.status, await head.text()]).toEqual([get.status, ''])
      expect(lastingHeaders(head)).toEqual(lastingHeaders(get))
    },
  },
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Returns all methods that are accepted at the address of an endpoint. */
function methodsAt(endpoint: Endpoint): Set<string> {
  const [address = ''] = addressOf(endpoint, { id: 1, query: '' }).split('?')
  const there = Object.values(routes).filter(({ pattern }) => shapeOf(pattern).test(address))
  const names = there.map(({ method }): string => method)
  return new Set(names.includes('GET') ? [...names, 'HEAD'] : names)
}

const shapeOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '[^/]+')
      .replace('/*', '(/.*)?')}$`,
  )

/** Returns all headers except those that depend on the time or on the connection. */
const lastingHeaders = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['date', 'connection', 'keep-alive', 'transfer-encoding'].includes(name),
    ),
  )

export const rows: readonly MatrixRow[] = [...whoMayCall, ...whatTheyMay, ...whatIsMalformed]
