import { expect, test } from 'vitest'
import { root } from '../../../shared/domain/path.ts'
import { rowsIn } from '../../state/row-set.ts'
import { type RowOrder, type Selection, selectionIn, selectOnly } from '../../state/selection.ts'
import { selectIndexes, toggleIndexes } from './rectangle-selection.ts'

/** Creates a row order with the given ids. */
const rowsOf = (...ids: readonly number[]): RowOrder => ({
  total: () => ids.length,
  idAt: (index) => ids[index] ?? -1,
  indexOfId: (id) => ids.indexOf(id),
  isOrderedById: () => ids.every((id, index) => id === index),
})
const chosen = (current: Selection): number[] => [...rowsIn(current.chosen)]
const start = selectionIn(root)

test('a rubber band adds its rows to the rows that were selected before', () => {
  const kept = selectOnly(start, 0).chosen
  expect(chosen(selectIndexes(start, rowsOf(4, 9, 1), { indexes: [1, 2], kept }))).toEqual([0, 1, 9])
})

test('a rubber band with ctrl deselects rows that were selected before', () => {
  const kept = selectOnly(start, 9).chosen
  expect(chosen(toggleIndexes(start, rowsOf(4, 9, 1), { indexes: [1, 2], kept }))).toEqual([1])
})
