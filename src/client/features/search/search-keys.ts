import { folderListing } from '../../listing/grid/shown-listings.ts'
import { searchInput, searchText } from '../../state/search.ts'
import { searchedFolder } from './search-address.ts'
import { closeOnEscape, focusFirstMatch, focusFirstResult } from './search-focus.ts'
import { folderSearch, searchBelow } from './searcher.ts'

/** Handles the arrow key and Enter in the search field, and Escape on the rest of the page. Returns the function that ends the handling. */
export function handleSearchKeys(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  searchInput()?.addEventListener('keydown', onFieldKey, { signal })
  document.addEventListener('keydown', leaveRows, { signal, capture: true })
  document.addEventListener('keydown', closeOnEscape, { signal, capture: true })
  return () => ending.abort()
}

/**
 * Moves the focus with the down arrow from the last matching row of the folder to the first result below the folder, and
 * with the up arrow from the first row to the search field.
 */
function leaveRows(event: KeyboardEvent): void {
  const { key } = event
  if ((key !== 'ArrowDown' && key !== 'ArrowUp') || event.shiftKey || event.altKey || isCtrl(event)) return
  const index = event.target instanceof HTMLElement ? event.target.dataset['index'] : undefined
  const count = folderListing.filter.get()?.shown.count ?? 0
  // The quick look shows rows of the folder and stays at the first and the last one.
  const isLooking = document.querySelector('[data-part="quick-look"]') !== null
  const isAtEnd = Number(index) === (key === 'ArrowDown' ? count - 1 : 0)
  if (count === 0 || index === undefined || !isAtEnd || isLooking) return
  if (key === 'ArrowUp') searchInput()?.focus()
  else if (!focusFirstResult()) return
  event.preventDefault()
  event.stopPropagation()
}

function onFieldKey(event: KeyboardEvent): void {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'ArrowDown') focusFirstMatch()
  else if (event.key === 'Enter') onEnter()
  else return
  event.preventDefault()
}

const isCtrl = ({ ctrlKey, metaKey }: KeyboardEvent): boolean => ctrlKey || metaKey

/** Searches below the folder. When this search has been made already, moves the focus to the first match. */
function onEnter(): void {
  const text = searchText.get().trim()
  if (text === '') return
  const { folder = null, text: searched = '', state = '' } = folderSearch.get() ?? {}
  if (folder === searchedFolder() && searched === text && state !== 'failed') focusFirstMatch()
  else searchBelow(searchedFolder(), text)
}
