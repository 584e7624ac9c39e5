import { expect, test } from 'vitest'
import type { ListingRow } from '../../../shared/contract/resources.ts'
import { parseNameQuery } from '../../../shared/domain/name-query.ts'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import { entryOfRow } from '../../state/listed-entry.ts'
import { selectAll, selectionIn } from '../../state/selection.ts'
import { rowsIn } from '../../state/row-set.ts'
import { root } from '../../../shared/domain/path.ts'
import { insertRows, removeRows } from './column-changes.ts'
import { announceTotals, appendRows, finishColumns } from './column-writes.ts'
import { createColumns, entryAt, type ListingColumns } from './columns.ts'
import { rowOrderOfColumns } from './folder-rows.ts'
import { createRowMatch } from './name-match.ts'
import { createFilteredColumns, startRowScan } from './row-scan.ts'

const row = (name: string, isFolder = false): ListingRow => [
  name,
  1,
  0,
  isFolder ? '' : 'text',
  Number(isFolder),
]
const numbered = (count: number): ListingRow[] => Array.from({ length: count }, (_, n) => row(`file ${n}`))

function columnsOf(rows: readonly ListingRow[]): ListingColumns {
  const columns = createColumns(rowOrderOf({ by: 'name', asc: false }))
  appendRows(columns, rows)
  finishColumns(columns)
  return columns
}

const always = (): boolean => true
const never = (): boolean => false
const matchOf = (text: string) => createRowMatch(parseNameQuery(text))
const namesIn = (columns: ListingColumns): string[] =>
  Array.from({ length: columns.count }, (_, index) => entryAt(columns, index)?.name ?? '')

function filtered(source: ListingColumns, text: string): ListingColumns {
  const shown = createFilteredColumns(source)
  startRowScan(source, shown, matchOf(text)).advance(always)
  return shown
}

test('the matching rows are shown in the order of the folder, with their counts', () => {
  const source = columnsOf([row('Scans', true), row('a'), row('my scan'), row('z')])
  const shown = filtered(source, 'scan')
  expect(namesIn(shown)).toEqual(['Scans', 'my scan'])
  expect(shown.summary.get()).toMatchObject({ total: 2, folders: 1, files: 1, isComplete: true })
  expect(source.count).toBe(4)
})

test('a scan without time tests one batch at a time and continues', () => {
  const source = columnsOf(numbered(20_000))
  const shown = createFilteredColumns(source)
  const scan = startRowScan(source, shown, matchOf('file'))
  expect(scan.advance(never)).toBe(false)
  expect(shown.count).toBe(8192)
  expect([scan.advance(never), scan.advance(never)]).toEqual([false, true])
  expect(shown.count).toBe(20_000)
})

test('rows that arrive later are tested without a new scan', () => {
  const source = createColumns(rowOrderOf({ by: 'name', asc: false }))
  announceTotals(source, { total: 1000, folders: 0 })
  appendRows(source, numbered(10))
  const shown = createFilteredColumns(source)
  const scan = startRowScan(source, shown, matchOf('9'))
  expect(scan.advance(always)).toBe(true)
  expect(namesIn(shown)).toEqual(['file 9'])
  appendRows(source, [row('file 19'), row('file 20')])
  expect([scan.isCurrent(), scan.advance(always)]).toEqual([true, true])
  expect(namesIn(shown)).toEqual(['file 9', 'file 19'])
})

test('an insertion or a removal makes a scan outdated, and the next scan follows the changed order', () => {
  const source = columnsOf([row('b scan'), row('c scan')])
  const shown = createFilteredColumns(source)
  const scan = startRowScan(source, shown, matchOf('scan'))
  scan.advance(always)
  insertRows(source, [entryOfRow(row('a scan'))])
  expect(scan.isCurrent()).toBe(false)
  removeRows(source, ['b scan'])
  startRowScan(source, shown, matchOf('scan')).advance(always)
  expect(namesIn(shown)).toEqual(['a scan', 'c scan'])
})

test('all rows of a filter are selected, and no others, also when the first and the last id look like positions', () => {
  const source = columnsOf([row('scan 0'), row('b'), row('scan 2'), row('scan 1'), row('c')])
  removeRows(source, ['c'])
  const shown = filtered(source, 'scan')
  const { chosen } = selectAll(selectionIn(root), rowOrderOfColumns(shown))
  expect([...rowsIn(chosen)]).toEqual([0, 2, 3])
})
