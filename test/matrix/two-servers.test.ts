import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import { openMatrixContext, type MatrixContext } from './matrix-context.ts'
import { cellsOf } from './rows.ts'

/** Sends the requests of the matrix to two servers of one state in turn: both refuse what one refuses. */
const cells = cellsOf(await contractEndpoints())

let context: MatrixContext
let before: Awaited<ReturnType<MatrixContext['tree']>>

beforeAll(async () => {
  context = await openMatrixContext({ servers: 2 })
  before = await context.tree()
})
afterAll(() => context.close())

test.each(cells)('$title: $name', ({ endpoint, expectResponse }) => expectResponse(context, endpoint))

test('these requests have changed no file', async () => {
  expect(await context.tree()).toEqual(before)
})
