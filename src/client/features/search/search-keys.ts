import { listFilter } from '../../listing/grid/list-filter.ts'
import { searchInput, searchText } from '../../state/search.ts'
import { searchedFolder } from './search-address.ts'
import { closeOnEscape, focusFirstMatch, focusFirstResult } from './search-focus.ts'
import { folderSearch, searchBelow } from './searcher.ts'

/** Handles the arrow key and Enter in the search field, and Escape on the rest of the page. Returns the function that ends the handling. */
export function handleSearchKeys(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  searchInput()?.addEventListener('keydown', onFieldKey, { signal })
  document.addEventListener('keydown', leaveLastRow, { signal, capture: true })
  document.addEventListener('keydown', closeOnEscape, { signal, capture: true })
  return () => ending.abort()
}

/** Moves the focus with the down arrow from the last matching row of the folder to the first result below the folder. */
function leaveLastRow(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
  const index = event.target instanceof HTMLElement ? event.target.dataset['index'] : undefined
  const count = listFilter.get()?.shown.count ?? 0
  // The quick look shows rows of the folder and stays at the last one.
  const isLooking = document.querySelector('[data-part="quick-look"]') !== null
  if (index === undefined || Number(index) !== count - 1 || isLooking || !focusFirstResult()) return
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

/** Searches below the folder. When this search has been made already, moves the focus to the first match. */
function onEnter(): void {
  const text = searchText.get().trim()
  if (text === '') return
  const { folder = null, text: searched = '', state = '' } = folderSearch.get() ?? {}
  if (folder === searchedFolder() && searched === text && state !== 'failed') focusFirstMatch()
  else searchBelow(searchedFolder(), text)
}
