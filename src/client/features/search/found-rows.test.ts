import { afterEach, beforeEach, expect, test } from 'vitest'
import { listedTextFile } from '../../../../test/kit/listed-text-file.ts'
import { type Path, root } from '../../../shared/domain/path.ts'
import { foundListing } from '../../listing/grid/shown-listings.ts'
import { appendFound, createFoundColumns } from '../../listing/rows/found-columns.ts'
import { type RefusedEntry, openFolderAt } from '../../state/open-folder.ts'
import { shareFoundRows } from './found-rows.ts'
import { folderSearch } from './searcher.ts'

const refusal = (path: Path, reason: string): RefusedEntry => ({ entry: listedTextFile(path), reason })
const [a, b, ab] = ['/a', '/b', '/a/b'] as Path[] as [Path, Path, Path]
const reasons = () => Object.fromEntries(foundListing.failures.get())

let stop: () => void
beforeEach(() => {
  const columns = createFoundColumns()
  appendFound(columns, (['/a/1', '/b/2', '/a/b/3'] as Path[]).map(listedTextFile))
  foundListing.columns.set(columns)
  foundListing.failures.set(new Map())
  folderSearch.set({
    folder: root,
    text: '',
    state: 'done',
    columns,
    isRefresh: false,
    isTruncated: false,
    unsearched: 0,
    reason: '',
  })
  stop = shareFoundRows()
})
afterEach(() => {
  stop()
  folderSearch.set(null)
})

test('the reasons of one folder stay when the operation ends in another folder, and go when it starts again', () => {
  openFolderAt(a)?.showFailures([refusal('/a/1' as Path, 'in use')])
  openFolderAt(ab)?.showFailures([refusal('/a/b/3' as Path, 'read-only')])
  openFolderAt(b)?.showFailures([])
  expect(reasons()).toEqual({ '/a/1': 'in use', '/a/b/3': 'read-only' })
  openFolderAt(a)?.showFailures([])
  expect(reasons()).toEqual({ '/a/b/3': 'read-only' })
})

test('the only result of a folder can be refused after it has left the list', () => {
  const other = '/c' as Path
  openFolderAt(a)?.remove(['1'])
  openFolderAt(a)?.showFailures([refusal('/a/1' as Path, 'in use')])
  expect([reasons(), openFolderAt(other)]).toEqual([{ '/a/1': 'in use' }, null])
})
