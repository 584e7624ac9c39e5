import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { type ListingColumns, idAt, idOfName, indexOfId } from '../../listing/rows/columns.ts'
import type { GridHandle } from '../../listing/grid/grid-handle.ts'
import { selection, selectOnly } from '../../state/selection.ts'

/**
 * Returns a function that selects and focuses a row and scrolls it into view, immediately or as soon as the row
 * arrives.
 */
export function useReveal(
  columns: ListingColumns,
  grid: RefObject<GridHandle | null>,
): (name: string) => void {
  const pendingName = useRef<string | null>(null)
  const latest = useRef(columns)
  const tryNow = useCallback((): void => {
    const listed = latest.current
    if (pendingName.current === null || grid.current === null) return
    const index = indexOfId(listed, idOfName(listed, pendingName.current))
    if (index === -1) return
    pendingName.current = null
    selection.set((current) => selectOnly(current, idAt(listed, index)))
    grid.current.focusIndex(index)
  }, [grid])
  useEffect(() => {
    latest.current = columns
    tryNow()
    // The attempt is delayed because the rows are in the document only after React has rendered the change.
    return columns.summary.subscribe(() => setTimeout(tryNow))
  }, [columns, tryNow])
  return useCallback(
    (name) => {
      pendingName.current = name
      tryNow()
    },
    [tryNow],
  )
}
