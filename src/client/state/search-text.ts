import { createPersonalStore } from './personal.ts'

/** The text in the search field. While it is not blank, the open folder shows only the entries that match it. */
export const searchText = createPersonalStore('')

const fieldId = 'search'

/** The properties by which other code finds the search field in the document. */
export const searchFieldProps = { id: fieldId, type: 'search' } as const

/** Returns the search field, or null on screens without the header. */
export const searchInput = (): HTMLInputElement | null =>
  document.querySelector<HTMLInputElement>(`#${fieldId}`)

/**
 * Ends the search: shows all rows of the folder again, and returns the focus to the row that had it before, or to the
 * content on screens without rows.
 */
export function closeSearch(): void {
  searchText.set('')
  // The rows are in the document only after React has rendered the change.
  setTimeout(() => {
    const row = document.querySelector<HTMLElement>('[data-part="listing"] [role="row"][tabindex="0"]')
    ;(row ?? document.querySelector<HTMLElement>('#content'))?.focus({ preventScroll: true })
  })
}
