import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ListingRow } from '../../../shared/contract/resources.ts'
import { compareNames, rowOrderOf, type SortPreference } from '../../../shared/domain/sorting.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { entryOfRow } from '../../state/listed-entry.ts'
import { insertRows, removeRows, renameRow, updateRows } from './column-changes.ts'
import { announceTotals, appendRows, finishColumns } from './column-writes.ts'
import {
  type ListingColumns,
  createColumns,
  entryAt,
  idAt,
  idOfName,
  indexOfId,
  sizeOfColumns,
  totalOf,
} from './columns.ts'

const byName: SortPreference = { by: 'name', asc: false }
const row = (name: string, isFolder = false): ListingRow => [
  name,
  name.length,
  1000,
  isFolder ? '' : 'text',
  Number(isFolder),
]

function filled(rows: readonly ListingRow[], sorting: SortPreference = byName): ListingColumns {
  const columns = createColumns(rowOrderOf(sorting))
  appendRows(columns, rows)
  finishColumns(columns)
  return columns
}

const namesOf = (columns: ListingColumns): string[] =>
  Array.from({ length: columns.count }, (_, index) => entryAt(columns, index)?.name ?? '')

const entry = (name: string, isFolder = false): ListedEntry => entryOfRow(row(name, isFolder))

test('rows are read as they were written, also with names that are not valid Unicode', () => {
  const rows: ListingRow[] = [
    ['Photos', 4096, 1_700_000_000_000, '', 1],
    ['link', 7, -5, 'text', 2],
    ['broken', 0, 0, 'invalid_link', 6],
    ['cafe\u0301 😀.txt', 2 ** 40, 1.5, 'text', 0],
    ['bad-\udcff\udcfe.bin', 3, 1, 'blob', 0],
  ]
  const columns = filled(rows)
  expect(rows.map((_, index) => entryAt(columns, index))).toEqual(rows.map(entryOfRow))
  expect(rows.map(([name]) => idOfName(columns, name))).toEqual([0, 1, 2, 3, 4])
  expect(idOfName(columns, 'Photo')).toBe(-1)
  expect(entryAt(columns, 5)).toBeUndefined()
})

test('announced rows count before they arrive', () => {
  const columns = createColumns(rowOrderOf(byName))
  announceTotals(columns, { total: 4, folders: 1 })
  appendRows(columns, [row('a', true), row('b')])
  expect([totalOf(columns), columns.summary.get().folders, columns.count]).toEqual([4, 1, 2])
  expect([idAt(columns, 3), indexOfId(columns, 3), indexOfId(columns, 4)]).toEqual([3, 3, -1])
  removeRows(columns, ['a'])
  expect([totalOf(columns), columns.summary.get().folders, idAt(columns, 1), indexOfId(columns, 2)]).toEqual([
    3, 0, 2, 1,
  ])
  appendRows(columns, [row('c'), row('d')])
  finishColumns(columns)
  expect([namesOf(columns), idAt(columns, 1), totalOf(columns)]).toEqual([['b', 'c', 'd'], 2, 3])
})

describe('changes', () => {
  test('a new entry is inserted by the sort order, folders first', () => {
    const columns = filled([row('b', true), row('a2'), row('a10')])
    insertRows(columns, [entry('a3'), entry('c', true), entry('A1')])
    expect(namesOf(columns)).toEqual(['b', 'c', 'A1', 'a2', 'a3', 'a10'])
    expect(columns.summary.get().folders).toBe(2)
  })

  test('an entry replaces the row of the same name', () => {
    const columns = filled([row('a'), row('b')])
    expect(insertRows(columns, [{ ...entry('b'), sizeBytes: 99 }])).toEqual([1])
    expect(namesOf(columns)).toEqual(['a', 'b'])
    expect(entryAt(columns, 1)?.sizeBytes).toBe(99)
  })

  test('the present state of entries changes their rows in place, and inserts rows for new entries', () => {
    const columns = filled([row('a'), row('b')], { by: 'size', asc: false })
    expect(updateRows(columns, [{ ...entry('a'), sizeBytes: 99 }, entry('c')])).toEqual([2])
    expect([
      idOfName(columns, 'a'),
      columns.count,
      entryAt(columns, indexOfId(columns, 0))?.sizeBytes,
    ]).toEqual([0, 3, 99])
    const { edits } = columns
    expect(updateRows(columns, [{ ...entry('a'), sizeBytes: 99 }])).toEqual([])
    expect(columns.edits).toBe(edits)
  })

  test('a renamed row keeps its id and moves to its new position', () => {
    const columns = filled([row('a'), row('b'), row('c')])
    expect(renameRow(columns, 'a', 'd')).toEqual([])
    expect([namesOf(columns), idOfName(columns, 'd'), indexOfId(columns, 0)]).toEqual([['b', 'c', 'd'], 0, 2])
    expect(renameRow(columns, 'd', 'b')).toEqual([1])
    expect(namesOf(columns)).toEqual(['b', 'c'])
  })

  test('a removed row has no position; removing unknown names changes nothing', () => {
    const columns = filled([row('a'), row('b')])
    const before = columns.summary.get()
    expect(removeRows(columns, ['x'])).toEqual([])
    expect(columns.summary.get()).toBe(before)
    expect(removeRows(columns, ['a'])).toEqual([0])
    expect([indexOfId(columns, 0), indexOfId(columns, 1), columns.edits]).toEqual([-1, 0, 1])
  })

  test('new entries follow the sort order by size, descending', () => {
    const columns = filled([row('ccc'), row('bb'), row('a')], { by: 'size', asc: false })
    insertRows(columns, [entry('dddd'), entry('ee'), entry('folder', true)])
    expect(namesOf(columns)).toEqual(['folder', 'dddd', 'ccc', 'bb', 'ee', 'a'])
  })

  test.each([true, false])(
    'sorted by size with asc %s, folders and files of one size stand in the order of their names',
    (asc) => {
      const folder = (name: string, sizeBytes: number) => ({ ...entry(name, true), sizeBytes })
      const columns = filled([], { by: 'size', asc })
      insertRows(columns, [folder('f10', 60), folder('f2', 4096), folder('F3', 80), entry('b'), entry('a')])
      updateRows(columns, [folder('f2', 40)])
      expect(namesOf(columns)).toEqual(['f2', 'F3', 'f10', 'a', 'b'])
    },
  )

  test('any changes leave the rows in sorted order, with the right summary', () => {
    const name = fc.stringMatching(/^[a-c][0-9]{0,2}[A-C]?$/)
    const change = fc.oneof(
      fc.record({ kind: fc.constant('insert' as const), name, isFolder: fc.boolean() }),
      fc.record({ kind: fc.constant('remove' as const), name }),
      fc.record({ kind: fc.constant('rename' as const), name, to: name }),
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const columns = filled([])
        const model = new Map<string, boolean>()
        for (const it of changes) {
          if (it.kind === 'insert') {
            insertRows(columns, [entry(it.name, it.isFolder)])
            model.set(it.name, it.isFolder)
          } else if (it.kind === 'remove') {
            removeRows(columns, [it.name])
            model.delete(it.name)
          } else {
            renameRow(columns, it.name, it.to)
            const was = model.get(it.name)
            if (was !== undefined) {
              model.delete(it.name)
              model.set(it.to, was)
            }
          }
        }
        const sorted = [...model].toSorted(([a, x], [b, y]) => Number(y) - Number(x) || compareNames(a, b))
        expect(namesOf(columns)).toEqual(sorted.map(([key]) => key))
        const folders = sorted.filter(([, isFolder]) => isFolder).length
        expect(columns.summary.get()).toEqual({
          total: sorted.length,
          folders,
          files: sorted.length - folders,
          arrived: sorted.length,
          isComplete: true,
        })
      }),
    )
  })
})

test('each change publishes a new frozen summary, also when the counts stay the same', () => {
  const columns = filled([row('a'), row('b')])
  const summaries = [columns.summary.get()]
  columns.summary.subscribe(() => summaries.push(columns.summary.get()))
  renameRow(columns, 'a', 'c')
  insertRows(columns, [entry('folder', true)])
  removeRows(columns, ['b'])
  expect(summaries.map(({ total, folders, files }) => [total, folders, files])).toEqual([
    [2, 0, 2],
    [2, 0, 2],
    [3, 1, 2],
    [2, 1, 1],
  ])
  expect(new Set(summaries).size).toBe(4)
  expect(summaries.every((summary) => Object.isFrozen(summary))).toBe(true)
})

test('a million rows take less than 100 MB', () => {
  const columns = createColumns(rowOrderOf(byName))
  announceTotals(columns, { total: 1_000_000, folders: 0 })
  for (let from = 0; from < 1_000_000; from += 10_000) {
    appendRows(
      columns,
      Array.from({ length: 10_000 }, (_, at) => row(`a name of common length ${from + at}.txt`)),
    )
  }
  finishColumns(columns)
  expect(entryAt(columns, 999_999)?.name).toBe('a name of common length 999999.txt')
  expect(sizeOfColumns(columns)).toBeLessThan(100e6)
})
