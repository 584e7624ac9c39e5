import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { type Columns, idAt, idOfName, indexOfId } from '../../listing/rows/columns.ts'
import type { GridHandle } from '../../listing/grid/grid.tsx'
import { selection, selectOnly } from '../../state/selection.ts'

/** Brings a row into view, chosen and in focus: at once when it is here, else when it arrives. */
export function useReveal(columns: Columns, grid: RefObject<GridHandle | null>): (name: string) => void {
  const wanted = useRef<string | null>(null)
  const latest = useRef(columns)
  const tryNow = useCallback((): void => {
    const here = latest.current
    if (wanted.current === null || grid.current === null) return
    const index = indexOfId(here, idOfName(here, wanted.current))
    if (index === -1) return
    wanted.current = null
    selection.set((now) => selectOnly(now, idAt(here, index)))
    grid.current.focusIndex(index)
  }, [grid])
  useEffect(() => {
    latest.current = columns
    tryNow()
    return columns.version.subscribe(() => setTimeout(tryNow))
  }, [columns, tryNow])
  return useCallback(
    (name) => {
      wanted.current = name
      tryNow()
    },
    [tryNow],
  )
}
