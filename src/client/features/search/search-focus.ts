import { filterTarget } from '../../listing/grid/list-filter.ts'
import { folderListing } from '../../listing/grid/shown-listings.ts'
import { idAt } from '../../listing/rows/columns.ts'
import { resultLook } from './result-layer-state.ts'
import { prompt } from '../../state/prompt.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { clearBoth, foundSelection, selectOnlyFound } from './found-selection.ts'
import { closeSearch, searchInput, searchText } from '../../state/search.ts'
import { selectOnly } from '../../state/selection.ts'

/**
 * Focuses the first matching row of the folder or, when no row matches, the first result below it. Without any result, the
 * button that repeats or widens the search gets the focus.
 */
export function focusFirstMatch(): void {
  if (focusRow('first') || focusFirstResult()) return
  document.querySelector<HTMLElement>('[data-part="search-results"] p button')?.focus()
}

/** Focuses the last matching row of the folder or, when no row matches, the search field. */
export function focusLastMatch(): void {
  if (!focusRow('last')) searchInput()?.focus()
}

/** Selects and focuses the first or the last row of the folder on screen. Returns false when there is none on screen. */
function focusRow(end: 'first' | 'last'): boolean {
  const grid = folderListing.grid.current
  const shown = folderListing.filter.get()?.shown ?? filterTarget.get()?.columns
  const isOnScreen = document.querySelector('[data-part="listing"]')?.checkVisibility() === true
  if (!grid || !isOnScreen || shown === undefined || shown.count === 0) return false
  const index = end === 'first' ? 0 : shown.count - 1
  folderListing.selection.set((current) => selectOnly(current, idAt(shown, index)))
  grid.focusIndex(index)
  return true
}

/** Focuses and selects the first result below the folder. Returns false when there is none on screen. */
export function focusFirstResult(): boolean {
  const row = document.querySelector<HTMLElement>('[data-found]')
  const link = row?.querySelector('a') ?? null
  link?.focus()
  if (row === null || link === null || document.activeElement !== link) return false
  selectOnlyFound(row.dataset['path'] as Path)
  return true
}

/**
 * Handles the Escape key outside of the field: it closes the quick look, or clears the selection of results, or, when nothing is selected, ends the
 * search.
 */
export function closeOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || searchText.get() === '') return
  if (resultLook.get() && prompt.get().kind === 'none') {
    event.preventDefault()
    event.stopPropagation()
    return resultLook.set(false)
  }
  const target = event.target instanceof Element ? event.target : null
  const isInside =
    target === searchInput() || target?.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')
  if (isInside || prompt.get().kind !== 'none') return
  const { chosen, isMultiple } = folderListing.selection.get()
  const hasFound = foundSelection.get().paths.size > 0
  if (!hasFound && (chosen.count > 0 || isMultiple)) return
  event.preventDefault()
  if (hasFound) clearBoth()
  else closeSearch()
}
