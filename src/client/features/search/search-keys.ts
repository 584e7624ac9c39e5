import { activeListing, folderListing, foundListing } from '../../listing/grid/shown-listings.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { idAt, nameOfId } from '../../listing/rows/columns.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import { searchInput, searchText } from '../../state/search-text.ts'
import { searchedFolder } from './search-address.ts'
import { openKeyScope } from '../../ui/keyboard/key-scopes.ts'
import { endSearch, focusFirstMatch, focusLastMatch, focusEndRow } from './search-focus.ts'
import { folderSearch, searchBelow } from './searcher.ts'

/** Handles the arrow key and Enter in the search field, and Escape on the rest of the page. Returns the function that ends the handling. */
export function handleSearchKeys(): () => void {
  const field = searchInput()
  field?.addEventListener('keydown', onFieldKey)
  const closeScope = openKeyScope({ kind: 'search', onKey: onPageKey })
  return () => {
    field?.removeEventListener('keydown', onFieldKey)
    closeScope()
  }
}

/** Handles a key outside of the field, unless the quick look is open: it shows rows of one list and stays at its ends. */
function onPageKey(event: KeyboardEvent): boolean {
  if (activeListing.get().quickLook.get() !== 'closed') return false
  return event.key === 'Escape' ? endSearch() : leaveRows(event)
}

/**
 * Handles the keys of the rows that lead out of their list: the down arrow goes from the last matching row of the folder to
 * the first result below the folder, and the up arrow the same way back and from the first row to the search field.
 * Ctrl+Enter shows a result in its folder.
 */
function leaveRows({ target, key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const row = target instanceof HTMLElement ? target.dataset['index'] : undefined
  if (row === undefined) return false
  const index = Number(row)
  const isCtrl = ctrlKey || metaKey
  const listing = activeListing.get()
  const isFound = listing === foundListing
  if (key === 'Enter' && isCtrl && isFound) return showResult(index)
  if (shiftKey || altKey || isCtrl || folderListing.filter.get() === null) return false
  if (key === 'ArrowDown' && !isFound && index === listing.columns.get().count - 1)
    return focusEndRow(foundListing, 'first')
  if (key !== 'ArrowUp' || index !== 0) return false
  if (isFound) focusLastMatch()
  else searchInput()?.focus()
  return true
}

function showResult(index: number): boolean {
  const columns = foundListing.columns.get()
  showInFolder(nameOfId(columns, idAt(columns, index)) as Path)
  return true
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
