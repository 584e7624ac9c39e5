import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import {
  denied,
  expectSilence,
  mark,
  linkNames,
  openHiddenWorld,
  sibling,
  tellingOf,
  type HiddenPathsContext,
} from './hidden-world.ts'
import { addressOf, bodyOf, methodOf, sampleOf, takesPath } from './samples.ts'

let world: HiddenPathsContext

beforeAll(async () => {
  world = await openHiddenWorld()
})
afterAll(() => world.close())

const forbidden = [403, 'forbidden', '403 Forbidden\n'] as const
const malformed = [400, 'bad-request', '400 Bad Request (the path is malformed)\n'] as const

const narrowed = (await contractEndpoints()).filter((it) => it.audience !== 'anyone' && takesPath(it))

type HiddenPathParameters = { readonly path?: string; readonly rest?: string; readonly query?: string }

/** Sends a request as Ann and returns the response. Asserts that HEAD gives the same response without the text. */
async function responsesTo(endpoint: Endpoint, place: HiddenPathParameters) {
  const method = methodOf(endpoint)
  const address = addressOf(endpoint, { id: world.app.user.id, ...place })
  const asked = { address, headers: sampleOf(endpoint).headers ?? {} }
  const response = await world.send({
    ...asked,
    method,
    body: method === 'GET' ? undefined : bodyOf(endpoint),
  })
  if (method === 'GET') {
    const head = await world.send({ ...asked, method: 'HEAD' })
    expectSilence(head)
    expect(tellingOf(head)).toMatchObject({ ...tellingOf(response), text: '' })
  }
  return response
}

type ExpectedResponse = readonly [status: number, code: string | null, text: string]

/** Asserts that the responses for all paths are identical, including all headers. */
async function expectAlike(
  endpoint: Endpoint,
  places: readonly HiddenPathParameters[],
  expected: ExpectedResponse,
): Promise<void> {
  const responses = []
  for (const place of places) responses.push(await responsesTo(endpoint, place))
  responses.forEach(expectSilence)
  const seen = responses.map(({ status, headers, text }) => [status, headers['x-error'] ?? null, text])
  expect(seen).toEqual(places.map(() => expected))
  const [first, ...others] = responses.map(tellingOf)
  for (const other of others) expect(other).toEqual(first)
}

/**
 * Paths of hidden entries that exist, with paths of entries that do not exist. The responses within a group must not
 * differ.
 */
const ways: readonly (readonly [string, ...string[]])[] = [
  ['a denied folder', `/${denied}`, `/${denied}/a.txt`, `/${denied}/none.txt`, `/${denied}/a.txt/below`],
  ['below a denied folder', `/${denied}/deep/${mark}.txt`, `/${denied}/no/none.txt`],
  ['a denied file', `/docs/file-${mark}.txt`],
  ['what an expression denies', `/docs/subs/own-${mark}.srt`, `/docs/none-${mark}.srt`],
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

const crossed = ways.flatMap(([title, ...paths]) =>
  narrowed.map((endpoint) => ({ title, name: endpoint.route, endpoint, paths })),
)

test.each(crossed)('$title: $name', ({ endpoint, paths }) => {
  const { hiddenResponse = forbidden } = sampleOf(endpoint)
  return expectAlike(
    endpoint,
    paths.map((path) => ({ path })),
    hiddenResponse,
  )
})

// Removing a link does not touch its target (security design 3.4).
test.each(narrowed.filter(({ route }) => route !== 'resources.remove'))(
  'a link itself that leads to what is hidden: $route',
  (endpoint) => {
    const { hiddenResponse = forbidden } = sampleOf(endpoint)
    const places = linkNames.map((name) => ({ path: `/docs/${name}` }))
    return expectAlike(endpoint, places, hiddenResponse)
  },
)

test.each(narrowed)('a way up, however it is written: $route', (endpoint) => {
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
  return expectAlike(
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

test.each(['copy', 'rename'])('a destination that is hidden or leads out: %s', async (action) => {
  const [endpoint] = narrowed.filter(({ route }) => route === 'resources.transfer')
  for (const more of [{}, { override: 'true' }, { rename: 'true' }])
    await expectAlike(endpoint!, destinations(action, more), forbidden)
})

test.each([`/../${sibling}/a.txt`, `/%2e%2e/${sibling}/a.txt`, `/docs/..%2f..%2f${sibling}`])(
  'a destination that climbs: %s',
  async (destination) => {
    const query = new URLSearchParams({ action: 'copy', destination }).toString()
    const response = await world.send({ method: 'PATCH', address: `/api/resources/docs/a.txt?${query}` })
    expect([response.status, response.text]).toEqual([400, '400 Bad Request (bad destination)\n'])
  },
)

test('the tree of a folder is not taken where something in it is hidden', async () => {
  const asked = [
    { method: 'DELETE', address: '/api/resources/docs' },
    { method: 'PATCH', address: '/api/resources/docs?action=copy&destination=/taken' },
    { method: 'PATCH', address: '/api/resources/docs?action=rename&destination=/taken' },
  ]
  for (const one of asked) {
    const response = await world.send(one)
    expectSilence(response)
    expect([one.method, response.status]).toEqual([one.method, 403])
  }
})

test('nothing of all that has changed a file, and nothing broke', async () => {
  const fresh = await openHiddenWorld()
  try {
    expect(await world.tree()).toEqual(await fresh.tree())
  } finally {
    await fresh.close()
  }
  expect(world.app.lines.filter((line) => /: 5(?!01)\d\d /.test(line))).toEqual([])
})
