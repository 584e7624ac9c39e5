import type { Listing } from '../../listing/grid/listing.ts'
import { hasSelectedRows, selectAlone } from '../../listing/grid/select-in-lists.ts'
import { folderListing, foundListing, isListShown, shownListings } from '../../listing/grid/shown-listings.ts'
import { idAt } from '../../listing/rows/columns.ts'
import { closeSearch, searchInput, searchText } from '../../state/search-text.ts'
import { selectOnly } from '../../state/selection.ts'

/**
 * Focuses the first matching row of the folder or, when no row matches, the first result below it. Without any result, the
 * button that repeats or widens the search gets the focus.
 */
export function focusFirstMatch(): void {
  if (focusEndRow(folderListing, 'first') || focusEndRow(foundListing, 'first')) return
  document.querySelector<HTMLElement>('[data-part="search-results"] p button')?.focus()
}

/** Focuses the last matching row of the folder or, when no row matches, the search field. */
export function focusLastMatch(): void {
  if (!focusEndRow(folderListing, 'last')) searchInput()?.focus()
}

/** Selects and focuses the first or the last row of a list. Returns false when there is none on screen. */
export function focusEndRow(listing: Listing, end: 'first' | 'last'): boolean {
  const columns = listing.columns.get()
  if (!isListShown(listing) || columns.count === 0) return false
  const index = end === 'first' ? 0 : columns.count - 1
  selectAlone(listing, (current) => selectOnly(current, idAt(columns, index)))
  listing.grid.current?.focusIndex(index)
  return true
}

/** Ends the search when nothing is selected. Returns false while there is no search to end. */
export function endSearch(): boolean {
  if (searchText.get() === '') return false
  if (shownListings.some(hasSelectedRows) || folderListing.selection.get().isMultiple) return false
  closeSearch()
  return true
}
