import { expect, test } from 'vitest'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import { firstRows } from '../../state/row-set.ts'
import { announceTotals, appendRows, finishColumns } from './column-writes.ts'
import { createColumns } from './columns.ts'
import { currentRows } from './folder-rows.ts'

/** Creates columns of which only the first rows have arrived. */
function createArrivingColumns(total: number, arrived: number) {
  const columns = createColumns(rowOrderOf({ by: 'name', asc: false }))
  announceTotals(columns, { total, folders: 0 })
  appendRows(
    columns,
    Array.from({ length: arrived }, (_, at) => [`file ${at}`, 1, 1000, 'text', 0] as const),
  )
  return columns
}

test.each([50, 500])(
  'the entries of a selection of %i rows that are still arriving have no gaps',
  (total) => {
    const columns = createArrivingColumns(total, 20)
    const entries = currentRows(columns).entriesOf(firstRows(total))
    expect(entries.length).toBe(20)
    expect(entries.map(({ name }) => name)).toEqual([...entries].map(({ name }) => name))
    expect(entries.at(-1)?.name).toBe('file 19')
  },
)

test('the entries of a large selection of a complete listing can be used as an array', () => {
  const columns = createArrivingColumns(500, 500)
  finishColumns(columns)
  const entries = currentRows(columns).entriesOf(firstRows(500))
  expect(entries.length).toBe(500)
  expect(entries.map(({ name }) => name)).toEqual(Array.from({ length: 500 }, (_, at) => `file ${at}`))
})
