import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listedTextFile } from '../../../../test/kit/listed-text-file.ts'
import { type Path, root } from '../../../shared/domain/path.ts'
import { foundListing } from '../../listing/grid/shown-listings.ts'
import { appendFound, createFoundColumns, filterFound } from '../../listing/rows/found-columns.ts'
import { resultsChanged } from '../../listing/rows/followed-results.ts'
import { searchText } from '../../state/search-text.ts'
import { session } from '../../state/session.ts'
import { followChanges } from './follow-changes.ts'
import { folderSearch, searchBelow, stopSearch } from './searcher.ts'

const folder = '/Photos' as Path
const columns = createFoundColumns()
appendFound(columns, [listedTextFile('/Photos/trip.txt' as Path)])

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', {
    visibilityState: 'hidden',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
  // Calls wait for the next login, so that nothing is sent.
  session.set({ kind: 'ended', user: { id: 1 } as never })
  searchText.set('trip')
  folderSearch.set({
    folder: root,
    text: 'trip',
    state: 'done',
    columns,
    isRefresh: false,
    isTruncated: false,
    unsearched: 0,
    reason: '',
  })
})
afterEach(() => {
  stopSearch('replaced')
  foundListing.edited.set(null)
  folderSearch.set(null)
  searchText.set('')
  session.set({ kind: 'starting' })
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a search is repeated after a change by others, but only when no name of a result is edited any more', () => {
  const stop = followChanges()
  foundListing.edited.set({ key: '/Photos/trip.txt', slot: null })
  resultsChanged.emit({ folder })
  vi.advanceTimersByTime(2000)
  expect(folderSearch.get()?.state).toBe('done')
  foundListing.edited.set(null)
  vi.advanceTimersByTime(300)
  expect(folderSearch.get()?.state).toBe('running')
  stop()
})

test('whoever hears of new rows finds them among the results already', () => {
  const isKnown: boolean[] = []
  foundListing.columns.set(filterFound(columns, () => true))
  const stop = foundListing.columns.subscribe(() =>
    isKnown.push(folderSearch.get()?.columns === foundListing.columns.get()),
  )
  searchBelow(root, 'trip.')
  stop()
  expect(isKnown).toEqual([true])
})
