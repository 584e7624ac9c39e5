import { Search } from 'lucide'
import { searchInput } from '../state/search-text.ts'
import type { Action } from './action.ts'

/** Focuses the search field. While the field has the focus, Ctrl+F opens the search of the browser. */
export const search: Action = {
  id: 'search',
  label: 'action.search',
  icon: Search,
  takes: 'nothing',
  keys: ['ctrl+f', 'ctrl+shift+f', '/'],
  places: [],
  run: () => searchInput()?.focus(),
}
