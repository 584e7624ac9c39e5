import { Check } from 'typebox/value'
import { expect } from 'vitest'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import { requestTargetOf, methodOf, sampleOf, takesPath } from './samples.ts'
import type { MatrixContext } from './matrix-context.ts'

/** A row of the matrix: a refusal or rule that is the same for all endpoints to which it applies. */
export type MatrixRow = {
  readonly title: string
  readonly appliesTo: (endpoint: Endpoint) => boolean
  readonly expectResponse: (context: MatrixContext, endpoint: Endpoint) => Promise<void>
}

/** The status, the error code and the text that a client receives for each refusal. */
const refusal = {
  notSignedIn: [401, 'not-signed-in', '401 Unauthorized\n'],
  forbidden: [403, 'forbidden', '403 Forbidden\n'],
  foreignOrigin: [403, 'foreign-origin', '403 Forbidden\n'],
  twice: [400, 'bad-request', '400 Bad Request (a query key occurs twice)\n'],
  encoded: [415, 'encoded-body', '415 Unsupported Media Type\n'],
  malformed: [400, 'bad-request', '400 Bad Request (the path is malformed)\n'],
} as const

async function expectRefused(
  endpoint: Endpoint,
  pending: Promise<Response>,
  [status, code, text]: readonly unknown[],
): Promise<void> {
  const response = await pending
  const seen = [response.status, response.headers.get('x-error'), await response.text()]
  expect(seen).toEqual([status, code, methodOf(endpoint) === 'HEAD' ? '' : text])
}

const isRead = (endpoint: Endpoint): boolean => ['GET', 'HEAD'].includes(methodOf(endpoint))
const requiresLogin = ({ audience }: Endpoint): boolean => audience !== 'anyone'
const isScoped = (endpoint: Endpoint): boolean => requiresLogin(endpoint) && takesPath(endpoint)
const takesTokenInQuery = (endpoint: Endpoint): boolean =>
  isRead(endpoint) && endpoint.takesTokenInQuery === true

const authenticationRows: readonly MatrixRow[] = [
  {
    title: 'needs no login',
    appliesTo: ({ audience }) => audience === 'anyone',
    async expectResponse(context, endpoint) {
      expect((await context.send(endpoint, { by: null })).status).not.toBe(401)
    },
  },
  {
    title: 'not signed in: 401',
    appliesTo: requiresLogin,
    expectResponse: (context, endpoint) =>
      expectRefused(endpoint, context.send(endpoint, { by: null }), refusal.notSignedIn),
  },
  {
    title: 'an invalid token: 401',
    appliesTo: requiresLogin,
    expectResponse(context, endpoint) {
      const by = { token: 'a.b.c', user: context.userNamed('ann').user }
      return expectRefused(endpoint, context.send(endpoint, { by }), refusal.notSignedIn)
    },
  },
  {
    title: 'a revoked session: 401',
    appliesTo: requiresLogin,
    async expectResponse(context, endpoint) {
      const by = await context.app.signIn(endpoint.audience === 'admin' ? 'ada' : 'ann')
      await by.call('sessions.logout')
      await expectRefused(endpoint, context.send(endpoint, { by }), refusal.notSignedIn)
    },
  },
  {
    title: 'a token in the URL of an endpoint that does not accept it there: 401',
    appliesTo: (endpoint) => requiresLogin(endpoint) && !takesTokenInQuery(endpoint),
    expectResponse(context, endpoint) {
      const query = `auth=${context.callerOf(endpoint).token}`
      return expectRefused(endpoint, context.send(endpoint, { by: null, query }), refusal.notSignedIn)
    },
  },
  {
    title: 'a token in the URL of an endpoint that accepts it there',
    appliesTo: takesTokenInQuery,
    async expectResponse(context, endpoint) {
      const query = `auth=${context.callerOf(endpoint).token}`
      expect((await context.send(endpoint, { by: null, query })).status).not.toBe(401)
    },
  },
  {
    title: 'a change with the cookie alone: 401',
    appliesTo: (endpoint) =>
      requiresLogin(endpoint) && !isRead(endpoint) && endpoint.takesCookieForChange !== true,
    expectResponse(context, endpoint) {
      const headers = { cookie: `auth=${context.callerOf(endpoint).token}`, 'sec-fetch-site': 'same-origin' }
      return expectRefused(endpoint, context.send(endpoint, { by: null, headers }), refusal.notSignedIn)
    },
  },
  {
    title: 'a change that a page of another origin requests: 403',
    appliesTo: (endpoint) => !isRead(endpoint),
    expectResponse(context, endpoint) {
      const headers = { origin: 'https://elsewhere.example' }
      const pending = context.send(endpoint, { by: context.callerOf(endpoint), headers })
      return expectRefused(endpoint, pending, refusal.foreignOrigin)
    },
  },
]

const permissionRows: readonly MatrixRow[] = [
  {
    title: 'a user who is not an administrator: 403',
    appliesTo: ({ audience }) => audience === 'admin',
    expectResponse: (context, endpoint) =>
      expectRefused(endpoint, context.send(endpoint, { by: context.userNamed('ann') }), refusal.forbidden),
  },
  {
    title: "another user's account, existing or not: 403",
    appliesTo: ({ audience }) => audience === 'self-or-admin',
    async expectResponse(context, endpoint) {
      const by = context.userNamed('ann')
      for (const id of [context.userNamed('ada').user.id, 999_999])
        await expectRefused(endpoint, context.send(endpoint, { by, id }), refusal.forbidden)
    },
  },
  {
    title: 'without the required permission: 403',
    appliesTo: ({ needs }) => needs !== undefined,
    expectResponse(context, endpoint) {
      const by = context.userNamed(`without-${endpoint.needs}`)
      return expectRefused(endpoint, context.send(endpoint, { by }), refusal.forbidden)
    },
  },
  {
    title: 'a path that a rule hides, existing or not: 403',
    appliesTo: isScoped,
    expectResponse: (context, endpoint) =>
      expectHidden(context, endpoint, ['/hidden/a.txt', '/hidden/none.txt', '/hidden/no/deeper']),
  },
  {
    title: 'a path through a link to outside the scope, existing or not: 403',
    appliesTo: isScoped,
    expectResponse: (context, endpoint) =>
      expectHidden(context, endpoint, ['/out/a.txt', '/out/none.txt', '/out/deep', '/out/no/deeper']),
  },
  {
    title: 'a destination that is hidden or outside the scope, existing or not: 403',
    appliesTo: (endpoint) => sampleOf(endpoint).query?.['destination'] !== undefined,
    async expectResponse(context, endpoint) {
      for (const destination of ['/hidden/new.txt', '/hidden/a.txt', '/out/new.txt', '/out/a.txt']) {
        const query = new URLSearchParams({ ...sampleOf(endpoint).query, destination }).toString()
        const pending = context.send(endpoint, { by: context.callerOf(endpoint), query })
        await expectRefused(endpoint, pending, refusal.forbidden)
      }
    },
  },
]

/**
 * Asserts that the response does not depend on whether the hidden entry exists. The response must be a refusal, or the
 * response that the sample specifies.
 */
async function expectHidden(
  context: MatrixContext,
  endpoint: Endpoint,
  paths: readonly string[],
): Promise<void> {
  const by = context.callerOf(endpoint)
  const { hiddenResponse = refusal.forbidden } = sampleOf(endpoint)
  for (const path of paths)
    await expectRefused(endpoint, context.send(endpoint, { by, path }), hiddenResponse)
}

const malformedRequestRows: readonly MatrixRow[] = [
  {
    title: 'a malformed path: 400',
    appliesTo: isScoped,
    async expectResponse(context, endpoint) {
      const by = context.callerOf(endpoint)
      for (const rest of ['/%zz', '/a%2Fb', '/a%00b', `/${'a'.repeat(256)}`])
        await expectRefused(endpoint, context.send(endpoint, { by, rest }), refusal.malformed)
    },
  },
  {
    title: 'a repeated query key: 400',
    appliesTo: () => true,
    expectResponse(context, endpoint) {
      const pending = context.send(endpoint, { by: context.callerOf(endpoint), query: 'k=1&k=2' })
      return expectRefused(endpoint, pending, refusal.twice)
    },
  },
  {
    title: 'a body with a Content-Encoding: 415',
    appliesTo: ({ body }) => body !== 'none',
    expectResponse(context, endpoint) {
      const headers = { 'content-encoding': 'gzip' }
      const pending = context.send(endpoint, { by: context.callerOf(endpoint), headers, body: 'x' })
      return expectRefused(endpoint, pending, refusal.encoded)
    },
  },
  {
    title: 'JSON that does not match the schema: 400',
    appliesTo: ({ body, schema = {} }) => body === 'json' && !Check(schema, 'a text'),
    async expectResponse(context, endpoint) {
      const deep = '['.repeat(64) + ']'.repeat(64)
      for (const body of ['{', '"a text"', '17', deep]) {
        const response = await context.send(endpoint, { by: context.callerOf(endpoint), body })
        expect([body, response.status, response.headers.get('x-error')]).toEqual([body, 400, 'bad-request'])
      }
    },
  },
  {
    title: 'JSON that is too large: 413',
    appliesTo: ({ body }) => body === 'json',
    async expectResponse(context, endpoint) {
      const body = JSON.stringify('x'.repeat(endpoint.maxBodyBytes ?? 1024 * 1024))
      const response = await context.send(endpoint, { by: context.callerOf(endpoint), body })
      expect([response.status, response.headers.get('x-error')]).toEqual([413, 'too-large'])
    },
  },
  {
    title: 'a method that no endpoint has at this path: 405 with the allowed methods',
    // Any web page may check whether the server is alive (contract 8.1).
    appliesTo: ({ route }) => route !== 'health.get',
    async expectResponse(context, endpoint) {
      const allowedMethods = methodsAt(endpoint)
      for (const method of methods.filter((method) => !allowedMethods.has(method))) {
        const response = await context.send(endpoint, { by: context.callerOf(endpoint), method, query: '' })
        expect([response.status, response.headers.get('x-error')]).toEqual([405, 'method-not-allowed'])
        expect(new Set(response.headers.get('allow')?.split(', '))).toEqual(allowedMethods)
      }
    },
  },
  {
    title: 'HEAD: the same headers as GET, and no body',
    appliesTo: (endpoint) => methodOf(endpoint) === 'GET',
    async expectResponse(context, endpoint) {
      const by = context.callerOf(endpoint)
      const get = await context.send(endpoint, { by })
      const head = await context.send(endpoint, { by, method: 'HEAD' })
      await get.arrayBuffer()
      expect([head.status, await head.text()]).toEqual([get.status, ''])
      expect(stableHeaders(head)).toEqual(stableHeaders(get))
    },
  },
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Returns all methods that are accepted at the path of an endpoint. */
function methodsAt(endpoint: Endpoint): Set<string> {
  const [path = ''] = requestTargetOf(endpoint, { id: 1, query: '' }).split('?')
  const matchingRoutes = Object.values(routes).filter(({ pattern }) => patternRegExp(pattern).test(path))
  const names = matchingRoutes.map(({ method }): string => method)
  return new Set(names.includes('GET') ? [...names, 'HEAD'] : names)
}

const patternRegExp = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '[^/]+')
      .replace('/*', '(/.*)?')}$`,
  )

/** Returns all headers except those that depend on the time or on the connection. */
const stableHeaders = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['date', 'connection', 'keep-alive', 'transfer-encoding'].includes(name),
    ),
  )

const rows: readonly MatrixRow[] = [...authenticationRows, ...permissionRows, ...malformedRequestRows]

/** Returns each refusal with each endpoint to which it applies. */
export const cellsOf = (endpoints: readonly Endpoint[]) =>
  rows.flatMap(({ title, appliesTo, expectResponse }) =>
    endpoints
      .filter(appliesTo)
      .map((endpoint) => ({ title, name: endpoint.route, endpoint, expectResponse })),
  )
