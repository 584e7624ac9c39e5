import { useCallback, useEffect, useRef } from 'react'
import { type ListingColumns, idAt, idOfName, indexOfId } from '../../listing/rows/columns.ts'
import { selectAlone } from '../../listing/grid/select-in-lists.ts'
import { folderListing } from '../../listing/grid/shown-listings.ts'
import { selectIds } from '../../state/selection.ts'

const { grid } = folderListing

/**
 * Returns a function that selects rows, focuses the first of them and scrolls it into view, immediately or as soon as
 * that row arrives.
 */
export function useReveal(columns: ListingColumns): (...names: readonly string[]) => void {
  const pendingNames = useRef<readonly string[]>([])
  const latest = useRef(columns)
  const tryNow = useCallback((): void => {
    const listed = latest.current
    const [first, ...others] = pendingNames.current
    if (first === undefined || grid.current === null) return
    const index = indexOfId(listed, idOfName(listed, first))
    if (index === -1) return
    pendingNames.current = []
    const ids = others.map((name) => idOfName(listed, name)).filter((id) => id !== -1)
    selectAlone(folderListing, (current) => selectIds(current, [idAt(listed, index), ...ids]))
    grid.current.focusIndex(index)
  }, [])
  useEffect(() => {
    latest.current = columns
    tryNow()
    // The attempt is delayed because the rows are in the document only after React has rendered the change.
    return columns.summary.subscribe(() => setTimeout(tryNow))
  }, [columns, tryNow])
  return useCallback(
    (...names) => {
      pendingNames.current = names
      tryNow()
    },
    [tryNow],
  )
}
