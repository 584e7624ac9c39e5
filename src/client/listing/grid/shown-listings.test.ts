import { beforeEach, expect, test } from 'vitest'
import { root } from '../../../shared/domain/path.ts'
import { rowsIn } from '../../state/row-set.ts'
import { noSelection, selectionIn, selectOnly, setMultiple, toggle } from '../../state/selection.ts'
import type { Listing } from './listing.ts'
import { selectAlone } from './select-in-lists.ts'
import {
  endMultiple,
  escapeSelections,
  folderListing,
  foundListing,
  shownListings,
} from './shown-listings.ts'

const chosen = ({ selection }: Listing): number[] => [...rowsIn(selection.get().chosen)]
const isMultiple = (): boolean[] => shownListings.map(({ selection }) => selection.get().isMultiple)

beforeEach(() => {
  for (const { selection } of shownListings) selection.set({ ...noSelection, ...selectionIn(root) })
})

test('a row that is selected alone deselects the rows of the other list, and an added row keeps them', () => {
  selectAlone(folderListing, (now) => selectOnly(now, 1))
  foundListing.selection.set((now) => toggle(now, 2))
  expect([chosen(folderListing), chosen(foundListing)]).toEqual([[1], [2]])
  selectAlone(foundListing, (now) => selectOnly(now, 3))
  expect([chosen(folderListing), chosen(foundListing)]).toEqual([[], [3]])
})

test('escape clears the selection of all lists, and then ends the multiple selection mode', () => {
  for (const { selection } of shownListings) selection.set((now) => setMultiple(toggle(now, 1), true))
  escapeSelections()
  expect([chosen(folderListing), chosen(foundListing), isMultiple()]).toEqual([[], [], [true, true]])
  escapeSelections()
  expect(isMultiple()).toEqual([false, false])
})

test('the end of the multiple selection mode deselects all rows', () => {
  for (const { selection } of shownListings) selection.set((now) => setMultiple(toggle(now, 1), true))
  endMultiple()
  expect([chosen(folderListing), chosen(foundListing), isMultiple()]).toEqual([[], [], [false, false]])
})
