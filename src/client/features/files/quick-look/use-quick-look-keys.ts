import type { Listing } from '../../../listing/grid/listing.ts'
import { selectAlone } from '../../../listing/grid/select-in-lists.ts'
import { idAt, indexOfId } from '../../../listing/rows/columns.ts'
import { focusRow, isChosen, selectOnly } from '../../../state/selection.ts'
import { arrowStep } from '../../../ui/direction/direction.ts'
import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'
import { isCtrlPressed } from '../../../ui/keyboard/keys.ts'
import { isListKey } from '../../../listing/keys/list-keys.ts'

/**
 * Handles the keys of the open quick look, which lies above the list: Space and Escape close it, and the arrows lead to
 * the next and to the previous row, or through the selected rows when there are several. The list itself handles the
 * Space that opens the quick look.
 */
export function useQuickLookKeys(listing: Listing): void {
  useKeyScope('panel', (event) => (isListKey(event) || isInPanel(event.target)) && handleKey(listing, event))
}

/** Returns false when the quick look does not use the key. */
function handleKey(listing: Listing, event: KeyboardEvent): boolean {
  if (event.altKey || isCtrlPressed(event)) return false
  if (event.key === ' ') return !isControl(event.target) && closeQuickLook(listing)
  if (event.shiftKey) return false
  if (event.key === 'Escape') return closeQuickLook(listing)
  const step = stepOf(listing, event)
  if (step !== 0) moveBy(listing, step)
  return step !== 0
}

/** Closes the quick look. The row that it has shown gets the focus. Returns true. */
export function closeQuickLook({ columns, selection, quickLook, grid }: Listing): true {
  quickLook.set('closed')
  const index = indexOfId(columns.get(), selection.get().focusId)
  if (index !== -1 && (document.activeElement === document.body || isInPanel(document.activeElement)))
    grid.current?.focusIndex(index)
  return true
}

/** Returns the direction of an arrow key, or 0 for keys that the list or the viewer handles. */
function stepOf({ grid, selection }: Listing, { key, target }: KeyboardEvent): 1 | -1 | 0 {
  if (isInPanel(target) && !(target instanceof HTMLButtonElement)) return 0
  const isSeveral = selection.get().chosen.count > 1
  const isOneColumn = (grid.current?.geometry().columns ?? 1) === 1
  if (!isSeveral && !isOneColumn) return 0
  if (key === 'ArrowDown') return 1
  return key === 'ArrowUp' ? -1 : arrowStep(key)
}

/** Moves the focus to the next row, or to the next selected row when several are selected. */
function moveBy(listing: Listing, step: 1 | -1): void {
  const columns = listing.columns.get()
  const current = listing.selection.get()
  const isSeveral = current.chosen.count > 1
  const isStop = (index: number): boolean => !isSeveral || isChosen(current, idAt(columns, index))
  let index = indexOfId(columns, current.focusId) + step
  while (index >= 0 && index < columns.count && !isStop(index)) index += step
  if (index < 0 || index >= columns.count) return
  const id = idAt(columns, index)
  if (isSeveral) listing.selection.set((now) => focusRow(now, id))
  else selectAlone(listing, (now) => selectOnly(now, id))
  listing.grid.current?.focusIndex(index)
}

/** Returns true for an element of the panel that uses Space itself. */
const isControl = (target: EventTarget | null): boolean =>
  isInPanel(target) && target instanceof Element && target.closest('button, a, input') !== null

const isInPanel = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-part="quick-look"]') !== null
