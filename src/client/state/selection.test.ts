import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { root } from '../../shared/domain/path.ts'
import { addRows, dropRows, emptySet, firstRows, hasRow, rowsIn } from './row-set.ts'
import {
  clearSelection,
  escapeSelection,
  extendTo,
  invert,
  type RowOrder,
  selectAll,
  type Selection,
  selectIndexes,
  selectionIn,
  selectOnly,
  setMultiple,
  toggle,
  toggleIndexes,
  withoutRows,
} from './selection.ts'

/** Rows on screen, each named by its id. */
const shown = (...ids: readonly number[]): RowOrder => ({
  total: () => ids.length,
  idAt: (index) => ids[index] ?? -1,
  indexOfId: (id) => ids.indexOf(id),
})
const rows = shown(0, 1, 2, 3, 4, 5, 6, 7)
const chosen = (now: Selection): number[] => [...rowsIn(now.chosen)]
const start = selectionIn(root)

describe('a set of rows', () => {
  test('is what a set would be', () => {
    const ids = fc.array(fc.nat(300), { maxLength: 60 })
    fc.assert(
      fc.property(ids, ids, (added, dropped) => {
        const model = new Set(added)
        for (const id of dropped) model.delete(id)
        const set = dropRows(addRows(emptySet, added), dropped)
        expect([...rowsIn(set)]).toEqual([...model].toSorted((a, b) => a - b))
        expect(set.count).toBe(model.size)
        expect([hasRow(set, -1), hasRow(set, 5000)]).toEqual([false, false])
      }),
    )
  })
  test.each([0, 1, 31, 32, 33, 100])('the first %i', (end) => {
    expect([...rowsIn(firstRows(end))]).toEqual(Array.from({ length: end }, (_, id) => id))
  })
})

test('a click chooses one, ctrl adds and takes away', () => {
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
  test('with ctrl is added', () => {
    expect(chosen(extendTo(toggle(selectOnly(start, 0), 6), rows, { id: 7, isAdded: true }))).toEqual([
      0, 6, 7,
    ])
  })
  test('follows the order of the screen, not that of the ids', () => {
    expect(chosen(extendTo(selectOnly(start, 9), shown(4, 9, 1, 7, 2), { id: 7, isAdded: false }))).toEqual([
      1, 7, 9,
    ])
  })
  test('without an anchor begins at the first chosen row, else at the focus', () => {
    const away = toggle(toggle(selectOnly(start, 1), 5), 5)
    expect(chosen(extendTo(away, rows, { id: 5, isAdded: false }))).toEqual([1, 2, 3, 4, 5])
    expect(chosen(extendTo({ ...start, focusId: 6 }, rows, { id: 7, isAdded: false }))).toEqual([6, 7])
    expect(chosen(extendTo(start, rows, { id: 2, isAdded: false }))).toEqual([2])
  })
})

test('everything, its opposite, and nothing', () => {
  expect(chosen(selectAll(start, rows))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(chosen(selectAll(start, shown(4, 9, 1)))).toEqual([1, 4, 9])
  const two = toggle(selectOnly(start, 1), 6)
  expect([chosen(invert(two, rows)), invert(two, rows).chosen.count]).toEqual([[0, 2, 3, 4, 5, 7], 6])
  expect(chosen(clearSelection(two))).toEqual([])
})

test('Escape clears first and leaves the multiple mode then', () => {
  const multiple = setMultiple(selectOnly(start, 1), true)
  const once = escapeSelection(multiple)
  expect([chosen(once), once.isMultiple, escapeSelection(once).isMultiple]).toEqual([[], true, false])
})

test('a rubber band adds to what was kept', () => {
  const kept = selectOnly(start, 0).chosen
  expect(chosen(selectIndexes(start, shown(4, 9, 1), { indexes: [1, 2], kept }))).toEqual([0, 1, 9])
})

test('with ctrl it takes away what was chosen before', () => {
  const kept = selectOnly(start, 9).chosen
  expect(chosen(toggleIndexes(start, shown(4, 9, 1), { indexes: [1, 2], kept }))).toEqual([1])
})

test('rows that leave are chosen no longer', () => {
  const two = toggle(selectOnly(start, 1), 6)
  const left = withoutRows(two, [6, 3])
  expect([chosen(left), left.chosen.count, left.anchorId]).toEqual([[1], 1, -1])
})

test('a million rows are chosen within a frame', () => {
  const many: RowOrder = { total: () => 1_000_000, idAt: (index) => index, indexOfId: (id) => id }
  const beginMs = performance.now()
  expect(selectAll(start, many).chosen.count).toBe(1_000_000)
  expect(performance.now() - beginMs).toBeLessThan(50)
})
