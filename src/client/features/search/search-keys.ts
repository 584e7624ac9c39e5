import { searchInput, searchText } from '../../state/search.ts'
import { searchedFolder } from './search-address.ts'
import { closeOnEscape, focusFirstMatch } from './search-focus.ts'
import { folderSearch, searchBelow } from './searcher.ts'

/** Handles the arrow key and Enter in the search field, and Escape on the rest of the page. Returns the function that ends the handling. */
export function handleSearchKeys(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  searchInput()?.addEventListener('keydown', onFieldKey, { signal })
  document.addEventListener('keydown', closeOnEscape, { signal, capture: true })
  return () => ending.abort()
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
