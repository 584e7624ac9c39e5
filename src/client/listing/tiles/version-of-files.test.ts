import { expect, test } from 'vitest'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import type { ListingRow } from '../../../shared/contract/resources.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { insertRows, removeRows, renameRow, updateRows } from '../rows/column-changes.ts'
import { appendRows } from '../rows/column-writes.ts'
import { createColumns, type ListingColumns } from '../rows/columns.ts'
import { versionOfFiles } from './version-of-files.ts'

const rows: readonly ListingRow[] = [
  ['a folder', 0, 1, '', 1],
  ['1.jpg', 10, 100, 'image', 0],
  ['2 ü.jpg', 5_000_000_000, 200, 'image', 0],
]
function columnsOf(entries: readonly ListingRow[]): ListingColumns {
  const columns = createColumns(rowOrderOf({ by: 'name', asc: true }))
  appendRows(columns, entries)
  return columns
}

const entry = (name: string, facts: Partial<ListedEntry> = {}): ListedEntry => ({
  name,
  isFolder: false,
  isLink: false,
  isBroken: false,
  sizeBytes: 10,
  modifiedMs: 100,
  type: 'image',
  ...facts,
})

test.each<[string, (columns: ListingColumns) => unknown]>([
  ['a renamed file', (columns) => renameRow(columns, '1.jpg', '3.jpg')],
  ['a larger file', (columns) => updateRows(columns, [entry('1.jpg', { sizeBytes: 11 })])],
  ['a later file', (columns) => updateRows(columns, [entry('1.jpg', { modifiedMs: 101 })])],
  ['a new file', (columns) => insertRows(columns, [entry('0.jpg')])],
  ['a removed file', (columns) => removeRows(columns, ['2 ü.jpg'])],
])('%s makes another version', (_, change) => {
  const columns = columnsOf(rows)
  const before = versionOfFiles(columns)
  change(columns)
  expect(versionOfFiles(columns)).not.toBe(before)
})

test('another order of the rows and other folders make no other version', () => {
  const columns = columnsOf(rows)
  const before = versionOfFiles(columns)
  insertRows(columns, [entry('another folder', { isFolder: true })])
  renameRow(columns, 'a folder', 'b folder')
  expect(versionOfFiles(columns)).toBe(before)
  expect(versionOfFiles(columnsOf([rows[2]!, rows[1]!]))).toBe(before)
})
