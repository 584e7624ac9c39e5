import { focusRow, withoutRows } from '../../state/selection.ts'
import { idAt, indexOfId } from '../rows/columns.ts'
import type { Listing } from './listing.ts'

/**
 * Changes the rows of a listing and keeps selection and focus consistent: removed rows are no longer selected, and the row
 * that takes the place of a removed focused row gets the focus. `change` returns the ids of the removed rows.
 */
export function changeRows({ columns, selection, grid }: Listing, change: () => readonly number[]): void {
  const shown = columns.get()
  const { focusId } = selection.get()
  const index = indexOfId(shown, focusId)
  // The ids of the rows above the focus, or null while the ids are in the order of the rows.
  const above = shown.order?.slice(0, Math.max(index, 0)) ?? null
  const hadFocus = grid.current?.element()?.contains(document.activeElement) === true
  const removedIds = change()
  if (removedIds.length === 0) return
  selection.set((current) => withoutRows(current, removedIds))
  if (!removedIds.includes(focusId)) return
  const removed = new Set(removedIds)
  const removedAbove =
    above === null ? removedIds.filter((id) => id < focusId) : above.filter((id) => removed.has(id))
  const next = Math.min(index - removedAbove.length, shown.count - 1)
  selection.set((current) => focusRow(current, next === -1 ? -1 : idAt(shown, next)))
  if (hadFocus && next !== -1) grid.current?.focusIndex(next)
}
