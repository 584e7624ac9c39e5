import { expect, test } from 'vitest'
import { nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { entryAt, idAt, type ListingColumns } from './columns.ts'
import { currentRows } from './folder-rows.ts'
import {
  appendFound,
  createFoundColumns,
  filterFound,
  type FoundEntry,
  pathsOfFound,
  removeFound,
  renameFound,
  sortFound,
} from './found-columns.ts'

const found = (path: string, { isFolder = false, sizeBytes = 0 } = {}): FoundEntry => ({
  path: path as Path,
  folder: parentOf(path as Path),
  name: nameOf(path as Path),
  isFolder,
  isLink: false,
  isBroken: false,
  sizeBytes,
  modifiedMs: sizeBytes,
  type: isFolder ? '' : 'text',
})
function columnsOf(...entries: readonly FoundEntry[]): ListingColumns {
  const columns = createFoundColumns()
  appendFound(columns, entries)
  return columns
}
const paths = (columns: ListingColumns): string[] => [...pathsOfFound(columns)]
const countsOf = ({ summary }: ListingColumns) => [summary.get().folders, summary.get().files]

test('an entry of the results has its folder and its name', () => {
  expect(entryAt(columnsOf(found('/a/b/c.txt')), 0)).toMatchObject({ folder: '/a/b', name: 'c.txt' })
})

test('a result is found again after a refresh, also beside a result with the same name', () => {
  const before = currentRows(columnsOf(found('/a/x'), found('/b/x')))
  const after = currentRows(columnsOf(found('/a/w'), found('/a/x'), found('/b/x')))
  expect([0, 1, 2].map((index) => after.indexOfName(before.nameAt(index)))).toEqual([1, 2, -1])
})

test('further hits follow the rows on screen, and folders follow the folders', () => {
  const columns = columnsOf(found('/z/2'), found('/z/1', { isFolder: true }))
  appendFound(columns, [found('/a/3'), found('/a/0', { isFolder: true })])
  expect(paths(columns)).toEqual(['/z/1', '/a/0', '/z/2', '/a/3'])
  expect(countsOf(columns)).toEqual([2, 2])
})

test('more hits than the first capacity keep their order', () => {
  const names = Array.from({ length: 3000 }, (_, at) => `/folder/${at}`)
  const columns = createFoundColumns()
  for (let at = 0; at < names.length; at += 7)
    appendFound(
      columns,
      names.slice(at, at + 7).map((name) => found(name)),
    )
  expect(paths(columns)).toEqual(names)
})

test.each([
  ['folder', false, ['/b/dir', '/a/2', '/a/10', '/b/1']],
  ['folder', true, ['/b/dir', '/b/1', '/a/10', '/a/2']],
  ['name', false, ['/b/dir', '/b/1', '/a/2', '/a/10']],
  ['size', true, ['/b/dir', '/b/1', '/a/10', '/a/2']],
  ['modified', false, ['/b/dir', '/a/2', '/a/10', '/b/1']],
] as const)('sorted by %s, descending %s, the ids of the rows stay', (by, descending, expected) => {
  const columns = columnsOf(
    found('/a/10', { sizeBytes: 2 }),
    found('/b/1', { sizeBytes: 3 }),
    found('/a/2', { sizeBytes: 1 }),
    found('/b/dir', { isFolder: true }),
  )
  const idsBefore = new Map(paths(columns).map((path, index) => [path, idAt(columns, index)]))
  sortFound(columns, { by, descending })
  expect(paths(columns)).toEqual(expected)
  expect(new Map(paths(columns).map((path, index) => [path, idAt(columns, index)]))).toEqual(
    new Map(expected.map((path) => [path, idsBefore.get(path)])),
  )
})

test('removed entries leave with everything below them, and a filter leaves the other rows as they are', () => {
  const columns = columnsOf(found('/a/x', { isFolder: true }), found('/a/x/1'), found('/a/xy'))
  const filtered = filterFound(columns, (path) => path !== '/a/xy')
  expect(removeFound(columns, ['/a/x' as Path])).toHaveLength(2)
  expect([paths(columns), countsOf(columns)]).toEqual([['/a/xy'], [0, 1]])
  expect([paths(filtered), countsOf(filtered)]).toEqual([
    ['/a/x', '/a/x/1'],
    [1, 1],
  ])
})

test('a renamed folder changes the paths below it', () => {
  const columns = columnsOf(found('/a/x', { isFolder: true }), found('/a/x/1'), found('/a/xy'))
  renameFound(columns, '/a/x' as Path, '/a/new' as Path)
  expect(paths(columns)).toEqual(['/a/new', '/a/new/1', '/a/xy'])
})
