import { type RefObject, useEffect } from 'react'
import { type ListingColumns, indexOfId } from '../../../listing/rows/columns.ts'
import type { GridHandle } from '../../../listing/grid/grid-handle.ts'
import { prompt } from '../../../state/prompt.ts'
import { selection } from '../../../state/selection.ts'

/** The time that a closing dialog takes to return the focus, in milliseconds. */
const afterDialogMs = 60

/**
 * Focuses a row after a dialog has closed if the element that had the focus before is gone or disabled: a row that was
 * removed, or the button of a verb that took the selected entries away.
 */
export function useFocusReturn(columns: ListingColumns, grid: RefObject<GridHandle | null>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const takeBack = (): void => {
      const index = indexOfId(columns, selection.get().focusId)
      if (hasLostFocus() && index !== -1) grid.current?.focusIndex(index)
    }
    const stop = prompt.subscribe(() => {
      clearTimeout(timer)
      if (prompt.get().kind === 'none') timer = setTimeout(takeBack, afterDialogMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [columns, grid])
}

function hasLostFocus(): boolean {
  const { activeElement, body } = document
  return activeElement === body || activeElement?.matches(':disabled, [aria-disabled="true"]') === true
}
