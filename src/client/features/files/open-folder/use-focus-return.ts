import { useEffect } from 'react'
import { indexOfId } from '../../../listing/rows/columns.ts'
import type { Listing } from '../../../listing/grid/listing.ts'
import { prompt } from '../../../state/prompt.ts'

/** The time that a closing dialog takes to return the focus, in milliseconds. */
const afterDialogMs = 60

/** Focuses a row when the focus has been lost after a dialog has closed whose row or button was removed meanwhile. */
export function useFocusReturn({ columns, selection, grid }: Listing): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const focusRow = (): void => {
      const index = indexOfId(columns.get(), selection.get().focusId)
      if (index !== -1 && document.activeElement === document.body) grid.current?.focusIndex(index)
    }
    const stop = prompt.subscribe(() => {
      clearTimeout(timer)
      if (prompt.get().kind === 'none') timer = setTimeout(focusRow, afterDialogMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [columns, selection, grid])
}

/** Gives the focus to the row of a list that had it last, or to its first row. */
export function focusRowOf({ columns, selection, grid }: Listing): void {
  grid.current?.focusIndex(Math.max(0, indexOfId(columns.get(), selection.get().focusId)))
}
