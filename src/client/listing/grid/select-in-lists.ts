import { clearSelection, type Selection, setMultiple } from '../../state/selection.ts'
import type { Listing } from './listing.ts'

/** Selects rows of a list in place of all rows that are selected, also those of the other lists on its screen. */
export function selectAlone(listing: Listing, change: (current: Selection) => Selection): void {
  deselectRows(listing.listsOnScreen().filter((other) => other !== listing && hasSelectedRows(other)))
  listing.selection.set(change)
}

/** Returns true while a row of a list is selected. */
export const hasSelectedRows = ({ selection }: Listing): boolean => selection.get().chosen.count > 0

/** Deselects the rows of lists. */
export function deselectRows(lists: readonly Listing[]): void {
  for (const { selection } of lists) selection.set(clearSelection)
}

/** Starts or ends the multiple-selection mode of lists. */
export function setMultipleMode(lists: readonly Listing[], isMultiple: boolean): void {
  for (const { selection } of lists) selection.set((now) => setMultiple(now, isMultiple))
}

/** Handles the Escape key: the first press deselects all rows, the second press ends the multiple-selection mode. */
export function escapeRows(lists: readonly Listing[]): void {
  if (lists.some(hasSelectedRows)) deselectRows(lists)
  else setMultipleMode(lists, false)
}
