import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import {
  denied,
  expectNoLeak,
  mark,
  linkNames,
  openHiddenPathsContext,
  sibling,
  comparablePartsOf,
  type HiddenPathsContext,
} from './hidden-paths-context.ts'
import { requestTargetOf, bodyOf, methodOf, sampleOf, takesPath } from './samples.ts'

let context: HiddenPathsContext

beforeAll(async () => {
  context = await openHiddenPathsContext()
})
afterAll(() => context.close())

const forbidden = [403, 'forbidden', '403 Forbidden\n'] as const
const malformed = [400, 'bad-request', '400 Bad Request (the path is malformed)\n'] as const

const scopedEndpoints = (await contractEndpoints()).filter((it) => it.audience !== 'anyone' && takesPath(it))

type HiddenPathParameters = { readonly path?: string; readonly rest?: string; readonly query?: string }

/**
 * Sends a request as Ann and returns the response. Asserts that a HEAD request has the same response without the body.
 */
async function responseTo(endpoint: Endpoint, parameters: HiddenPathParameters) {
  const method = methodOf(endpoint)
  const requestTarget = requestTargetOf(endpoint, { id: context.app.user.id, ...parameters })
  const request = { requestTarget, headers: sampleOf(endpoint).headers ?? {} }
  const response = await context.send({
    ...request,
    method,
    body: method === 'GET' ? undefined : bodyOf(endpoint),
  })
  if (method === 'GET') {
    const head = await context.send({ ...request, method: 'HEAD' })
    expectNoLeak(head)
    expect(comparablePartsOf(head)).toMatchObject({ ...comparablePartsOf(response), text: '' })
  }
  return response
}

type ExpectedResponse = readonly [status: number, code: string | null, text: string]

/** Asserts that the responses for all paths are identical, including all headers. */
async function expectSameResponse(
  endpoint: Endpoint,
  parameterSets: readonly HiddenPathParameters[],
  expected: ExpectedResponse,
): Promise<void> {
  const responses = []
  for (const parameters of parameterSets) responses.push(await responseTo(endpoint, parameters))
  responses.forEach(expectNoLeak)
  const seen = responses.map(({ status, headers, text }) => [status, headers['x-error'] ?? null, text])
  expect(seen).toEqual(parameterSets.map(() => expected))
  const [first, ...others] = responses.map(comparablePartsOf)
  for (const other of others) expect(other).toEqual(first)
}

/**
 * Each group contains a title, the paths of hidden entries that exist, and the paths of similar entries that do not
 * exist. The responses for all paths of a group must be equal.
 */
const hiddenPathGroups: readonly (readonly [string, ...string[]])[] = [
  ['a denied folder', `/${denied}`, `/${denied}/a.txt`, `/${denied}/none.txt`, `/${denied}/a.txt/below`],
  ['below a denied folder', `/${denied}/deep/${mark}.txt`, `/${denied}/no/none.txt`],
  ['a denied file', `/docs/file-${mark}.txt`],
  ['a file that a regular expression denies', `/docs/subs/own-${mark}.srt`, `/docs/none-${mark}.srt`],
  ['a dot file that is hidden', `/docs/.dot-${mark}`, '/docs/.none'],
  [
    'a link inside to a denied folder',
    '/docs/to-denied/a.txt',
    '/docs/to-denied/a.srt',
    '/docs/to-denied/a.png',
    `/docs/to-denied/deep/${mark}.txt`,
    '/docs/to-denied/none.txt',
    '/docs/to-denied/no/none.txt',
  ],
  ['a link to a sibling of the scope', '/docs/to-sibling/a.txt', '/docs/to-sibling/none.txt'],
  [
    'a link to above the scope',
    `/docs/to-above/${sibling}/a.txt`,
    `/docs/to-above/${sibling}/none.txt`,
    '/docs/to-above/home/docs/a.txt',
    '/docs/to-above/none.txt',
  ],
  ['a link to outside', '/docs/to-outside/a.txt', '/docs/to-outside/no/none.txt'],
]

const cases = hiddenPathGroups.flatMap(([title, ...paths]) =>
  scopedEndpoints.map((endpoint) => ({ title, name: endpoint.route, endpoint, paths })),
)

test.each(cases)('$title: $name', ({ endpoint, paths }) => {
  const { hiddenResponse = forbidden } = sampleOf(endpoint)
  return expectSameResponse(
    endpoint,
    paths.map((path) => ({ path })),
    hiddenResponse,
  )
})

// Removing a link does not touch its target (security 3.4).
test.each(scopedEndpoints.filter(({ route }) => route !== 'resources.remove'))(
  'a link to a hidden entry: $route',
  (endpoint) => {
    const { hiddenResponse = forbidden } = sampleOf(endpoint)
    const parameterSets = linkNames.map((name) => ({ path: `/docs/${name}` }))
    return expectSameResponse(endpoint, parameterSets, hiddenResponse)
  },
)

test.each(scopedEndpoints)('a path to above the scope, in any notation: $route', (endpoint) => {
  const rests = [
    `/../${sibling}/a.txt`,
    `/docs/../../${sibling}/a.txt`,
    `/%2e%2e/${sibling}/a.txt`,
    `/.%2E/${sibling}/a.txt`,
    `/..%2f${sibling}%2fa.txt`,
    `/docs/%2e%2e%2f%2e%2e%2f${sibling}/a.txt`,
    `/docs/to-denied/../../${denied}/a.txt`,
    `/docs/./../${denied}/a.txt`,
    '/docs/..',
  ]
  return expectSameResponse(
    endpoint,
    rests.map((rest) => ({ rest })),
    malformed,
  )
})

const destinations = (action: string, more: Readonly<Record<string, string>> = {}) =>
  [
    `/${denied}/a.txt`,
    `/${denied}/new.txt`,
    `/docs/file-${mark}.txt`,
    `/docs/.dot-${mark}`,
    '/docs/to-denied/a.txt',
    '/docs/to-denied/new.txt',
    '/docs/to-sibling/a.txt',
    '/docs/to-sibling/new.txt',
    '/docs/to-above/new.txt',
    '/docs/to-outside/new.txt',
  ].map((destination) => ({
    query: new URLSearchParams({ action, destination, ...more }).toString(),
  }))

test.each(['copy', 'rename'])('a destination that is hidden or outside the scope: %s', async (action) => {
  const [endpoint] = scopedEndpoints.filter(({ route }) => route === 'resources.transfer')
  for (const more of [{}, { override: 'true' }, { rename: 'true' }])
    await expectSameResponse(endpoint!, destinations(action, more), forbidden)
})

test.each([`/../${sibling}/a.txt`, `/%2e%2e/${sibling}/a.txt`, `/docs/..%2f..%2f${sibling}`])(
  'a destination above the scope: %s',
  async (destination) => {
    const query = new URLSearchParams({ action: 'copy', destination }).toString()
    const response = await context.send({
      method: 'PATCH',
      requestTarget: `/api/resources/docs/a.txt?${query}`,
    })
    expect([response.status, response.text]).toEqual([400, '400 Bad Request (bad destination)\n'])
  },
)

test('a folder that contains a hidden entry is not deleted, copied or moved', async () => {
  const requests = [
    { method: 'DELETE', requestTarget: '/api/resources/docs' },
    { method: 'PATCH', requestTarget: '/api/resources/docs?action=copy&destination=/taken' },
    { method: 'PATCH', requestTarget: '/api/resources/docs?action=rename&destination=/taken' },
  ]
  for (const request of requests) {
    const response = await context.send(request)
    expectNoLeak(response)
    expect([request.method, response.status]).toEqual([request.method, 403])
  }
})

test('these requests have changed no file and caused no server error', async () => {
  const fresh = await openHiddenPathsContext()
  try {
    expect(await context.tree()).toEqual(await fresh.tree())
  } finally {
    await fresh.close()
  }
  expect(context.app.lines.filter((line) => /: 5(?!01)\d\d /.test(line))).toEqual([])
})
