import { afterEach, beforeEach, expect, test } from 'vitest'
import { nameOf, parentOf, type Path, root } from '../../../shared/domain/path.ts'
import { contextOfAction, resultContext } from '../../actions/page-context.ts'
import { foundListing } from '../../listing/grid/shown-listings.ts'
import { appendFound, createFoundColumns, type FoundEntry } from '../../listing/rows/found-columns.ts'
import { noSelection, selectionIn, selectIds } from '../../state/selection.ts'
import { joinSelections } from './found-context.ts'

const found = (path: string, isFolder = false): FoundEntry => ({
  path: path as Path,
  folder: parentOf(path as Path),
  name: nameOf(path as Path),
  isFolder,
  isLink: false,
  isBroken: false,
  sizeBytes: 0,
  modifiedMs: 0,
  type: isFolder ? '' : 'text',
})
const paths = ['/a/x', '/a/x/1', '/a/2', '/b/3']
const select = (...ids: readonly number[]): void =>
  foundListing.selection.set((now) => selectIds({ ...now, ...selectionIn(root) }, ids))
const selected = () => resultContext.get()?.selected.map(({ folder, name }) => [folder, name])

let stop: () => void
beforeEach(() => {
  const columns = createFoundColumns()
  appendFound(
    columns,
    paths.map((path) => found(path, path === '/a/x')),
  )
  foundListing.columns.set(columns)
  stop = joinSelections()
})
afterEach(() => {
  stop()
  foundListing.selection.set(noSelection)
})

test('without a selected result, actions apply to the rows of the folder', () => {
  expect(resultContext.get()).toBeNull()
})

test('results of one folder are entries of that folder, and results of several name their folders', () => {
  select(2)
  expect([resultContext.get()?.folder, selected()]).toEqual(['/a', [[undefined, '2']]])
  select(2, 3)
  expect(selected()).toEqual([
    ['/a', '2'],
    ['/b', '3'],
  ])
  expect(resultContext.get()?.folder).toBe('/')
})

test('actions for entries apply to the selected results, and actions without entries to the open folder', () => {
  const open = { folder: '/open' as Path, selected: [], may: () => true, isMultiple: false }
  select(2)
  expect(contextOfAction({ takes: 'nothing' }, open).folder).toBe('/open')
  for (const takes of ['one', 'some', 'any'] as const)
    expect(contextOfAction({ takes }, open).folder).toBe('/a')
  select()
  expect(contextOfAction({ takes: 'some' }, open).folder).toBe('/open')
})

test('an entry inside a selected folder is counted, and left to the action for the folder', () => {
  select(0, 1, 3)
  expect(selected()).toEqual([
    ['/a', 'x'],
    ['/b', '3'],
  ])
  expect(resultContext.get()?.count).toBe(3)
})
