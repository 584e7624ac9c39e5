import { useLayoutEffect, useRef } from 'react'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import { type GridGeometry, rowsBetween, topOf } from './geometry.ts'
import type { ScrollWindow } from './use-scroll-window.ts'

/**
 * Keeps the row at the top of the view at its position on screen when a reload replaces the rows, and when the tiles of a gallery are placed
 * anew. When the sort order has changed as well, scrolls the grid to the start.
 */
export function useScrollAnchor(rows: FolderRows, geometry: GridGeometry, scroll: ScrollWindow): void {
  const rendered = useRef({ rows, geometry })
  useLayoutEffect(() => {
    const before = rendered.current
    rendered.current = { rows, geometry }
    const isPlacedAnew = before.geometry.tiles && before.geometry.tiles !== geometry.tiles
    const top = scroll.topPx()
    if ((before.rows.listing === rows.listing && !isPlacedAnew) || top === 0) return
    if (!isSameOrder(before.rows.sortedBy, rows.sortedBy)) return queueMicrotask(() => scroll.scrollTo(0))
    const index = Math.min(rowsBetween(before.geometry, top, top + 1).first, before.rows.summary.arrived - 1)
    const movedTo = rows.indexOfName(before.rows.nameAt(index))
    if (movedTo === -1) return
    const movedPx = topOf(geometry, movedTo) - topOf(before.geometry, index)
    if (movedPx !== 0) queueMicrotask(() => scroll.scrollTo(scroll.topPx() + movedPx))
  })
}

const isSameOrder = (a: ListingOrder, b: ListingOrder): boolean =>
  a.by === b.by && a.descending === b.descending
