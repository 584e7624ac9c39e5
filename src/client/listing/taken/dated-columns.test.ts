import { expect, test } from 'vitest'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import { insertRows, removeRows, renameRow } from '../rows/column-changes.ts'
import { announceTotals, appendRows, finishColumns } from '../rows/column-writes.ts'
import { createColumns, type ListingColumns, publishSummary } from '../rows/columns.ts'
import { currentRows } from '../rows/folder-rows.ts'
import { datedColumnsOf } from './dated-columns.ts'

/** Returns the rows of a folder with two folders and five files, as the server sorts them by the last change. */
function columnsOf(isDescending: boolean): ListingColumns {
  const columns = createColumns(rowOrderOf({ by: 'modified', asc: !isDescending }))
  const files = [1, 2, 3, 4, 5].map((at): [string, number, number, string, number] => [
    `${at}.jpg`,
    10,
    at * 100,
    'image',
    0,
  ])
  appendRows(columns, [
    ['b', 0, 1, '', 1],
    ['a', 0, 2, '', 1],
    ...(isDescending ? files.toReversed() : files),
  ])
  publishSummary(columns)
  return columns
}
const namesIn = (columns: ListingColumns): string[] => {
  const rows = currentRows(columns)
  return Array.from({ length: rows.summary.total }, (_, at) => rows.nameAt(at))
}
const datesIn = (columns: ListingColumns): number[] => {
  const rows = currentRows(columns)
  return Array.from({ length: rows.summary.total }, (_, at) => rows.dateAt(at))
}

test.each([
  [false, ['b', 'a', '5.jpg', '2.jpg', '1.jpg', '3.jpg', '4.jpg']],
  [true, ['b', 'a', '4.jpg', '3.jpg', '1.jpg', '2.jpg', '5.jpg']],
])('files are sorted by their times and folders stay (descending: %j)', (isDescending, names) => {
  const source = columnsOf(isDescending)
  const before = namesIn(source)
  const shown = datedColumnsOf(source, new Map(Object.entries({ '5.jpg': 50, '1.jpg': 250, a: 7 })))
  expect(namesIn(shown)).toEqual(names)
  expect(datesIn(shown)[names.indexOf('1.jpg')]).toBe(250)
  expect(currentRows(shown).entryAt(names.indexOf('1.jpg'))?.modifiedMs).toBe(100)
  // The rows of the server keep their order, so that the list shows it again.
  expect([namesIn(source), source.dates]).toEqual([before, undefined])
})

test('files with equal times are in the order of their names', () => {
  const times = new Map(['1', '2', '3', '4', '5'].map((name) => [`${name}.jpg`, 9]))
  const names = ['b', 'a', '1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg']
  for (const isDescending of [false, true])
    expect(namesIn(datedColumnsOf(columnsOf(isDescending), times))).toEqual(names)
})

test('an id is that of the same row in both, and the columns follow changes', () => {
  const source = columnsOf(false)
  const times = new Map([
    ['5.jpg', 50],
    ['new.jpg', 60],
  ])
  const shown = datedColumnsOf(source, times)
  const [before, after] = [currentRows(source), currentRows(shown)]
  expect(after.idAt(2)).toBe(before.idAt(6))
  insertRows(source, [
    {
      name: 'new.jpg',
      isFolder: false,
      isLink: false,
      isBroken: false,
      sizeBytes: 1,
      modifiedMs: 9e5,
      type: 'image',
    },
  ])
  removeRows(source, ['1.jpg'])
  renameRow(source, '2.jpg', '6.jpg')
  expect(namesIn(shown)).toEqual(['b', 'a', '5.jpg', 'new.jpg', '6.jpg', '3.jpg', '4.jpg'])
  expect(datedColumnsOf(source, times)).toBe(shown)
  // Other times make other columns, which also follow changes.
  const again = datedColumnsOf(source, new Map([['4.jpg', 1]]))
  removeRows(source, ['a'])
  expect(again).not.toBe(shown)
  expect(namesIn(again)).toEqual(['b', '4.jpg', '6.jpg', '3.jpg', '5.jpg', 'new.jpg'])
})

test('rows that are arriving, and rows without times, stay as they are', () => {
  const source = columnsOf(false)
  expect(datedColumnsOf(source, new Map())).toBe(source)
  const arriving = createColumns(source.sortedBy)
  announceTotals(arriving, { total: 2, folders: 0 })
  expect(datedColumnsOf(arriving, new Map([['1.jpg', 1]]))).toBe(arriving)
  finishColumns(arriving)
  expect(datedColumnsOf(arriving, new Map([['1.jpg', 1]]))).not.toBe(arriving)
})
