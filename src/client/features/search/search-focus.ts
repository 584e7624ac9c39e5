import type { Listing } from '../../listing/grid/listing.ts'
import { hasSelectedRows, selectAlone } from '../../listing/grid/select-in-lists.ts'
import {
  activeListing,
  folderListing,
  foundListing,
  isListShown,
  shownListings,
} from '../../listing/grid/shown-listings.ts'
import { idAt } from '../../listing/rows/columns.ts'
import { prompt } from '../../state/prompt.ts'
import { closeSearch, searchInput, searchText } from '../../state/search.ts'
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

/** Handles the Escape key outside of the field: ends the search when nothing is selected and nothing lies above the lists. */
export function closeOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || searchText.get() === '') return
  const target = event.target instanceof Element ? event.target : null
  const isInside =
    target === searchInput() || target?.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')
  if (isInside || prompt.get().kind !== 'none' || activeListing.get().quickLook.get() !== 'closed') return
  if (shownListings.some(hasSelectedRows) || folderListing.selection.get().isMultiple) return
  event.preventDefault()
  closeSearch()
}
