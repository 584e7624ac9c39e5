import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../shared/contract/resources.ts'
import { pathOf, root } from '../../../shared/domain/path.ts'
import { currentRows } from '../../listing/rows/folder-rows.ts'
import { selectIds } from '../../state/selection.ts'
import { columnsOfItems, guestListing, leaveRows, proposedView, showRows } from './guest-listing.ts'

const item = (name: string, fields: Partial<ResourceItem> = {}): ResourceItem => ({
  path: `/${name}`,
  name,
  size: 0,
  extension: '',
  modified: '2026-01-01T00:00:00Z',
  mode: 0,
  isDir: false,
  isSymlink: false,
  type: 'blob',
  ...fields,
})

const items = [
  item('docs', { isDir: true, type: '' }),
  item('2.txt', { size: 20 }),
  item('10.txt', { size: 30 }),
  item('gone', { isSymlink: true, type: 'invalid_link' }),
]
const byName = { by: 'name', descending: false, folders: 'first' } as const
const bySize = { by: 'size', descending: true, folders: 'first' } as const
const folder = pathOf('/hash') ?? root

const namesIn = (columns: ReturnType<typeof columnsOfItems>): string[] =>
  Array.from({ length: columns.count }, (_, index) => currentRows(columns).nameAt(index))
const selectedNames = (): string[] =>
  currentRows(guestListing.columns.get())
    .entriesOf(guestListing.selection.get().chosen)
    .map(({ name }) => name)

test('the entries of a response are rows in the order that the guest has chosen', () => {
  const columns = columnsOfItems(items, byName)
  expect(namesIn(columns)).toEqual(['docs', '2.txt', '10.txt', 'gone'])
  expect(columns.summary.get()).toMatchObject({ total: 4, folders: 1, files: 3, isComplete: true })
  expect(namesIn(columnsOfItems(items, bySize))).toEqual(['docs', '10.txt', '2.txt', 'gone'])
  expect(currentRows(columns).entryAt(3)).toMatchObject({ isLink: true, isBroken: true })
})

test('selected rows stay selected in another order, and not in another folder or at the next visit', () => {
  const columns = columnsOfItems(items, byName)
  showRows({ path: folder, columns, canSelect: true })
  guestListing.selection.set((now) => selectIds(now, [1, 2]))
  expect(selectedNames()).toEqual(['2.txt', '10.txt'])
  showRows({
    path: folder,
    columns: columnsOfItems(items, { ...byName, descending: true }),
    canSelect: true,
  })
  expect(selectedNames()).toEqual(['10.txt', '2.txt'])
  leaveRows()
  showRows({ path: folder, columns, canSelect: true })
  expect(selectedNames()).toEqual([])
  guestListing.selection.set((now) => selectIds(now, [1]))
  showRows({ path: root, columns, canSelect: true })
  expect(selectedNames()).toEqual([])
})

test('a folder in which most files are pictures is proposed as a gallery', () => {
  const [picture, text, folder] = [
    item('a.jpg', { type: 'image' }),
    item('a.txt', { type: 'text' }),
    item('docs', { isDir: true }),
  ]
  expect(
    [[picture], [picture, text], [picture, picture, text], [picture, folder, folder], [folder], []].map(
      proposedView,
    ),
  ).toEqual(['gallery', 'list', 'gallery', 'gallery', 'list', 'list'])
})
