import { expect, test } from 'vitest'
import { root } from '../../../../shared/domain/path.ts'
import { rowOrderOf } from '../../../../shared/domain/sorting.ts'
import { isAvailable, missingSelection } from '../../../actions/action.ts'
import { remove } from '../../../actions/remove.ts'
import { announceTotals, appendRows } from '../../../listing/rows/column-writes.ts'
import { createColumns } from '../../../listing/rows/columns.ts'
import { currentRows, rowOrderOfColumns } from '../../../listing/rows/folder-rows.ts'
import { selectAll, selectionIn } from '../../../state/selection.ts'
import { actionContextOf } from './action-context.ts'

test('selected entries cannot be deleted before all their rows have arrived', () => {
  const columns = createColumns(rowOrderOf({ by: 'name', asc: false }))
  announceTotals(columns, { total: 2, folders: 0 })
  appendRows(columns, [['first', 1, 1000, 'text', 0]])
  const current = selectAll(selectionIn(root), rowOrderOfColumns(columns))
  const contextNow = () =>
    actionContextOf({ folder: root, rows: currentRows(columns), current, may: () => true })
  expect(missingSelection(remove, contextNow())).toBe('arriving')
  expect(isAvailable(remove, contextNow())).toBe(false)
  appendRows(columns, [['second', 1, 1000, 'text', 0]])
  expect(isAvailable(remove, contextNow())).toBe(true)
  expect(contextNow().selected.map(({ name }) => name)).toEqual(['first', 'second'])
})
