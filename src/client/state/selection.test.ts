import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { root } from '../../shared/domain/path.ts'
import { commonRows } from './common-rows.ts'
import { addRows, dropRows, emptyRowSet, firstRows, hasRow, rowsIn, visitRows } from './row-set.ts'
import {
  clearSelection,
  extendTo,
  invert,
  type RowOrder,
  selectAll,
  type Selection,
  selectionIn,
  selectOnly,
  toggle,
  withoutRows,
} from './selection.ts'

/** Creates a row order with the given ids. */
const rowsOf = (...ids: readonly number[]): RowOrder => ({
  total: () => ids.length,
  idAt: (index) => ids[index] ?? -1,
  indexOfId: (id) => ids.indexOf(id),
  isOrderedById: () => ids.every((id, index) => id === index),
})
const rows = rowsOf(0, 1, 2, 3, 4, 5, 6, 7)
const chosen = (current: Selection): number[] => [...rowsIn(current.chosen)]
const start = selectionIn(root)

describe('a set of rows', () => {
  test('behaves like a set of numbers', () => {
    const ids = fc.array(fc.nat(300), { maxLength: 60 })
    fc.assert(
      fc.property(ids, ids, (added, dropped) => {
        const model = new Set(added)
        for (const id of dropped) model.delete(id)
        const set = dropRows(addRows(emptyRowSet, added), dropped)
        const common = commonRows(addRows(emptyRowSet, added), addRows(emptyRowSet, dropped))
        const both = [...new Set(added)].filter((id) => dropped.includes(id))
        expect([[...rowsIn(common)], common.count]).toEqual([both.toSorted((a, b) => a - b), both.length])
        expect([...rowsIn(set)]).toEqual([...model].toSorted((a, b) => a - b))
        const visited: number[] = []
        visitRows(set, (id) => void visited.push(id))
        expect(visited).toEqual([...rowsIn(set)])
        expect(set.count).toBe(model.size)
        expect([hasRow(set, -1), hasRow(set, 5000)]).toEqual([false, false])
      }),
    )
  })
  test.each([0, 1, 31, 32, 33, 100])('the first %i', (end) => {
    expect([...rowsIn(firstRows(end))]).toEqual(Array.from({ length: end }, (_, id) => id))
  })
})

test('a click selects one row, a ctrl-click adds or removes one', () => {
  const one = selectOnly(toggle(start, 5), 2)
  expect([chosen(one), one.anchorId, one.focusId]).toEqual([[2], 2, 2])
  const two = toggle(one, 4)
  expect(chosen(two)).toEqual([2, 4])
  expect(chosen(toggle(two, 4))).toEqual([2])
})

describe('a range', () => {
  const three = selectOnly(start, 3)
  test.each([
    ['down', 5, [3, 4, 5]],
    ['up', 1, [1, 2, 3]],
    ['to itself', 3, [3]],
  ])('%s replaces what was chosen and keeps its anchor', (_case, id, expected) => {
    const range = extendTo(three, rows, { id, isAdded: false })
    expect([chosen(range), range.anchorId, range.focusId]).toEqual([expected, 3, id])
  })
  test('is added to the selection with ctrl', () => {
    expect(chosen(extendTo(toggle(selectOnly(start, 0), 6), rows, { id: 7, isAdded: true }))).toEqual([
      0, 6, 7,
    ])
  })
  test('follows the order on screen, not the order of the ids', () => {
    expect(chosen(extendTo(selectOnly(start, 9), rowsOf(4, 9, 1, 7, 2), { id: 7, isAdded: false }))).toEqual([
      1, 7, 9,
    ])
  })
  test('without an anchor starts at the first selected row, else at the focused row', () => {
    const away = toggle(toggle(selectOnly(start, 1), 5), 5)
    expect(chosen(extendTo(away, rows, { id: 5, isAdded: false }))).toEqual([1, 2, 3, 4, 5])
    expect(chosen(extendTo({ ...start, focusId: 6 }, rows, { id: 7, isAdded: false }))).toEqual([6, 7])
    expect(chosen(extendTo(start, rows, { id: 2, isAdded: false }))).toEqual([2])
  })
})

test('all rows can be selected, the selection inverted, and cleared', () => {
  expect(chosen(selectAll(start, rows))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(chosen(selectAll(start, rowsOf(4, 9, 1)))).toEqual([1, 4, 9])
  const two = toggle(selectOnly(start, 1), 6)
  expect([chosen(invert(two, rows)), invert(two, rows).chosen.count]).toEqual([[0, 2, 3, 4, 5, 7], 6])
  expect(chosen(clearSelection(two))).toEqual([])
})

test('removed rows are no longer selected', () => {
  const two = toggle(selectOnly(start, 1), 6)
  const left = withoutRows(two, [6, 3])
  expect([chosen(left), left.chosen.count, left.anchorId]).toEqual([[1], 1, -1])
})

test('a million rows are selected within a frame', () => {
  const many: RowOrder = {
    total: () => 1_000_000,
    idAt: (index) => index,
    indexOfId: (id) => id,
    isOrderedById: () => true,
  }
  const beginMs = performance.now()
  expect(selectAll(start, many).chosen.count).toBe(1_000_000)
  expect(performance.now() - beginMs).toBeLessThan(50)
})
