import { filterTarget, listFilter } from '../../listing/grid/list-filter.ts'
import { idAt } from '../../listing/rows/columns.ts'
import { prompt } from '../../state/prompt.ts'
import { clearFound, foundSelection } from './found-selection.ts'
import { closeSearch, searchInput, searchText } from '../../state/search.ts'
import { selection, selectOnly } from '../../state/selection.ts'

/** Focuses the first matching row of the folder or, when no row matches, the first result below it. */
export function focusFirstMatch(): void {
  const grid = filterTarget.get()?.grid.current
  const shown = listFilter.get()?.shown ?? filterTarget.get()?.columns
  if (grid && shown !== undefined && shown.count > 0) {
    selection.set((current) => selectOnly(current, idAt(shown, 0)))
    grid.focusIndex(0)
  } else focusFirstResult()
}

/** Focuses the first result below the folder. Returns false when there is none. */
export function focusFirstResult(): boolean {
  const first = document.querySelector<HTMLElement>('[data-found] a')
  first?.focus()
  return first !== null
}

/** Handles the Escape key outside of the field: it clears the selection of results, or, when nothing is selected, it ends the search. */
export function closeOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || searchText.get() === '') return
  const target = event.target instanceof Element ? event.target : null
  const isInside =
    target === searchInput() || target?.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')
  const { chosen, isMultiple } = selection.get()
  if (isInside || prompt.get().kind !== 'none' || chosen.count > 0 || isMultiple) return
  event.preventDefault()
  if (foundSelection.get().paths.size > 0) return clearFound()
  closeSearch()
}
