import { expect, test } from 'vitest'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import { noSelection, selectAll } from '../../state/selection.ts'
import { rowsIn } from '../../state/row-set.ts'
import { carrySelection } from './carry-selection.ts'
import { createColumns, nameOfId, type ListingColumns } from './columns.ts'
import { appendRows, finishColumns } from './column-writes.ts'
import { rowOrderOfColumns } from './folder-rows.ts'

function columnsOf(names: readonly string[]): ListingColumns {
  const columns = createColumns(rowOrderOf({ by: 'name', asc: true }))
  appendRows(
    columns,
    names.map((name) => [name, 1, 1, 'text', 0]),
  )
  finishColumns(columns)
  return columns
}

test('where all of many rows were selected, a row that somebody else added is not selected', () => {
  const names = Array.from({ length: 2000 }, (_, index) => `${index}.txt`)
  const from = columnsOf(names)
  const to = columnsOf(['new.txt', ...names.slice(1)])
  const after = carrySelection(selectAll(noSelection, rowOrderOfColumns(from)), from, to)
  expect([...rowsIn(after.chosen)].map((id) => nameOfId(to, id))).toEqual(names.slice(1))
})
