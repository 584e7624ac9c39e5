import { Check } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import { rows } from './rows.ts'
import { jsonOf, samples, unnamedPlaceholders } from './samples.ts'
import { openWorld, type MatrixContext } from './world.ts'

/**
 * Tests every endpoint of the contract with every refusal that endpoints have in common. New endpoints are included
 * automatically.
 */
const endpoints = await contractEndpoints()
const cells = rows.flatMap(({ title, concerns, expectIn }) =>
  endpoints.filter(concerns).map((endpoint) => ({ title, name: endpoint.route, endpoint, expectIn })),
)

let world: MatrixContext
let before: Awaited<ReturnType<MatrixContext['tree']>>

beforeAll(async () => {
  world = await openWorld()
  before = await world.tree()
})
afterAll(() => world.close())

test.each(cells)('$title: $name', ({ endpoint, expectIn }) => expectIn(world, endpoint))

test('nothing of all that has changed a file, inside or outside, and nothing broke', async () => {
  expect(await world.tree()).toEqual(before)
  // Status 501 is not a fault of the server: it is the response for a file that is not an image.
  expect(world.app.lines.filter((line) => /: 5(?!01)\d\d /.test(line))).toEqual([])
})

test('each call has a sample: JSON where it takes some, and something for its placeholders', () => {
  const unfit = endpoints.filter((it) => it.body === 'json' && !Check(it.schema ?? {}, jsonOf(it)))
  const unnamed = endpoints.flatMap((it) =>
    unnamedPlaceholders(it).map((name) => `${it.route} needs something for {${name}}`),
  )
  expect([...unfit.map(({ route }) => `${route} needs JSON that fits its schema`), ...unnamed]).toEqual([])
})

test('each sample belongs to a call', () => {
  expect(Object.keys(samples).filter((name) => !(name in routes))).toEqual([])
})
