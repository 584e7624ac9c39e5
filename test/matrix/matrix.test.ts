import { Check } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import { cellsOf } from './rows.ts'
import { jsonOf, samples, unfilledPlaceholders } from './samples.ts'
import { openMatrixContext, type MatrixContext } from './matrix-context.ts'

/**
 * Tests every endpoint of the contract with every refusal that endpoints have in common. New endpoints are included
 * automatically.
 */
const endpoints = await contractEndpoints()
const cells = cellsOf(endpoints)

let context: MatrixContext
let before: Awaited<ReturnType<MatrixContext['tree']>>

beforeAll(async () => {
  context = await openMatrixContext()
  before = await context.tree()
})
afterAll(() => context.close())

test.each(cells)('$title: $name', ({ endpoint, expectResponse }) => expectResponse(context, endpoint))

test('these requests have changed no file inside or outside the served folder and caused no server error', async () => {
  expect(await context.tree()).toEqual(before)
  // Status 501 is not a fault of the server: it is the response for a file that is not an image.
  expect(context.app.lines.filter((line) => /: 5(?!01)\d\d /.test(line))).toEqual([])
})

test('each endpoint has a sample with fitting JSON and values for all placeholders', () => {
  const withoutFittingJson = endpoints.filter(
    (endpoint) => endpoint.body === 'json' && !Check(endpoint.schema ?? {}, jsonOf(endpoint)),
  )
  const withUnfilledPlaceholders = endpoints.flatMap((endpoint) =>
    unfilledPlaceholders(endpoint).map((name) => `${endpoint.route} needs something for {${name}}`),
  )
  expect([
    ...withoutFittingJson.map(({ route }) => `${route} needs JSON that fits its schema`),
    ...withUnfilledPlaceholders,
  ]).toEqual([])
})

test('each sample belongs to an endpoint', () => {
  expect(Object.keys(samples).filter((name) => !(name in routes))).toEqual([])
})
