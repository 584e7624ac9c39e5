import * as fc from 'fast-check'
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
import { createScanTarget, startRowScan } from './row-scan.ts'

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
  const target = createScanTarget(source)
  startRowScan(target, matchOf(text)).advance(always)
  return target.shown
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
  const target = createScanTarget(source)
  const { shown } = target
  const scan = startRowScan(target, matchOf('file'))
  expect(scan.advance(never)).toBe(false)
  expect(shown.count).toBe(8192)
  expect([scan.advance(never), scan.advance(never)]).toEqual([false, true])
  expect(shown.count).toBe(20_000)
})

test('rows that arrive later are tested without a new scan', () => {
  const source = createColumns(rowOrderOf({ by: 'name', asc: false }))
  announceTotals(source, { total: 1000, folders: 0 })
  appendRows(source, numbered(10))
  const target = createScanTarget(source)
  const { shown } = target
  const scan = startRowScan(target, matchOf('9'))
  expect(scan.advance(always)).toBe(true)
  expect(namesIn(shown)).toEqual(['file 9'])
  appendRows(source, [row('file 19'), row('file 20')])
  expect([scan.isCurrent(), scan.advance(always)]).toEqual([true, true])
  expect(namesIn(shown)).toEqual(['file 9', 'file 19'])
})

test('an insertion or a removal makes a scan outdated, and the next scan follows the changed order', () => {
  const source = columnsOf([row('b scan'), row('c scan')])
  const target = createScanTarget(source)
  const { shown } = target
  const scan = startRowScan(target, matchOf('scan'))
  scan.advance(always)
  insertRows(source, [entryOfRow(row('a scan'))])
  expect(scan.isCurrent()).toBe(false)
  removeRows(source, ['b scan'])
  startRowScan(target, matchOf('scan')).advance(always)
  expect(namesIn(shown)).toEqual(['a scan', 'c scan'])
})

test('all rows of a filter are selected, and no others, also when the first and the last id look like positions', () => {
  const source = columnsOf([row('scan 0'), row('b'), row('scan 2'), row('scan 1'), row('c')])
  removeRows(source, ['c'])
  const shown = filtered(source, 'scan')
  const { chosen } = selectAll(selectionIn(root), rowOrderOfColumns(shown))
  expect([...rowsIn(chosen)]).toEqual([0, 2, 3])
})

test('a text across two names is no match, and names of other letters are tested one by one', () => {
  const source = columnsOf([row('abc'), row('cab'), row('bca'), row('ab'), row('CAB.txt')])
  expect(namesIn(filtered(source, 'cab'))).toEqual(['cab', 'CAB.txt'])
  const mixed = columnsOf([...numbered(9000), row('Émile'), row('emile'), row('東京 e')])
  expect(namesIn(filtered(mixed, 'emil'))).toEqual(['Émile', 'emile'])
  expect(namesIn(filtered(mixed, '"file 899"'))).toEqual([
    'file 899',
    ...numbered(9000)
      .slice(8990)
      .map(([name]) => name),
  ])
})

test('every text finds the same rows in blocks as one by one', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '.'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(name), name, (names, text) => {
      const source = columnsOf(names.map((it) => row(it)))
      const expected = names.filter((it) => it.toLowerCase().includes(text.toLowerCase()))
      expect(namesIn(filtered(source, text))).toEqual(expected)
    }),
  )
})
