import { useLayoutEffect, useRef } from 'react'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import type { TopRow } from '../../state/scrolled-to.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import { type GridGeometry, rowsBetween, topOf } from './geometry.ts'
import type { GridHandle } from './listing.ts'
import type { ScrollWindow } from './use-scroll-window.ts'

type Rendered = { readonly rows: FolderRows; readonly geometry: GridGeometry }

/**
 * A row, and the scroll position in CSS pixels at which it was made the anchor. It is pending while the list cannot scroll to it: the row
 * has not arrived, or the list ends before, because its tiles are not placed yet.
 */
type Anchor = TopRow & { readonly topPx: number; readonly isPending: boolean }

/** The functions that remember how far the grid is scrolled, and scroll there in a later visit. */
export type ScrollAnchor = Pick<GridHandle, 'scrolledTo' | 'restore'>

/**
 * Keeps the row at the top of the view at its position on screen when a reload replaces the rows, and when the tiles of a gallery are placed
 * anew. When the sort order has changed as well, scrolls the grid to the start.
 *
 * The row stays the same until the user scrolls or the row is removed. Otherwise each step of a window that is resized would
 * choose the first row of its line, and the view would drift towards the start of the folder.
 */
export function useScrollAnchor(
  rows: FolderRows,
  geometry: GridGeometry,
  scroll: ScrollWindow,
): ScrollAnchor {
  // The caches that the compiler would add hold nothing but functions of effects and events.
  'use no memo'
  const rendered = useRef<Rendered>({ rows, geometry })
  const last = useRef<Anchor | null>(null)
  /** Returns the anchor, unless the user has scrolled away from it. */
  const keptAt = (topPx: number): Anchor | null =>
    last.current && Math.abs(last.current.topPx - topPx) < 1 ? last.current : null
  /** Returns the scroll position at which a row has its distance, or null for a row that is not in the list. */
  const placeOf = (row: TopRow | null): number | null => {
    const index = row ? rows.indexOfName(row.name) : -1
    return row && index !== -1 ? topOf(geometry, index) - row.distancePx : null
  }
  /** Makes a row the anchor, for which the list was to be scrolled to a position. */
  const keep = (row: TopRow | null, wantedPx: number): void => {
    const topPx = scroll.topPx()
    last.current = row && { ...row, topPx, isPending: placeOf(row) === null || topPx < wantedPx - 1 }
  }
  const scrollTo = (topPx: number, row: TopRow | null): void => {
    scroll.scrollTo(topPx)
    keep(row, topPx)
  }
  useLayoutEffect(() => {
    const before = rendered.current
    rendered.current = { rows, geometry }
    const top = scroll.topPx()
    const isUnchanged = before.rows.listing === rows.listing && before.geometry.tiles === geometry.tiles
    const kept = keptAt(top)
    if (isUnchanged || (top === 0 && !kept?.isPending)) return
    if (!isSameOrder(before.rows.sortedBy, rows.sortedBy)) return queueMicrotask(() => scroll.scrollTo(0))
    // A kept row that is not in the list may arrive with the next rows.
    const isKept = placeOf(kept) !== null || !rows.summary.isComplete
    const row = (isKept && kept) || anchorAt(before, top)
    const topPx = placeOf(row) ?? top
    if (topPx === top) keep(row, top)
    else queueMicrotask(() => scrollTo(topPx, row))
  })
  return {
    scrolledTo() {
      const scrollPx = scroll.topPx()
      const kept = keptAt(scrollPx)
      // Rows that have been added above a list have moved the row away, and the list has stayed where it was.
      if (kept?.isPending || Math.abs((placeOf(kept) ?? NaN) - scrollPx) < 1)
        return { scrollPx, topRow: kept }
      return { scrollPx, topRow: geometry.tiles ? anchorAt(rendered.current, scrollPx) : null }
    },
    restore: ({ scrollPx, topRow = null }) => scrollTo(placeOf(topRow) ?? scrollPx, topRow),
  }
}

/** Returns the first row of the view, also where a heading is at the top. Null where no row has arrived. */
function anchorAt({ rows, geometry }: Rendered, topPx: number): TopRow | null {
  const { first, end } = rowsBetween(geometry, topPx, topPx + geometry.lineHeight)
  const index = Math.min(first, rows.summary.arrived - 1)
  if (end === 0 || index < 0) return null
  return { name: rows.nameAt(index), distancePx: topOf(geometry, index) - topPx }
}

const isSameOrder = (a: ListingOrder, b: ListingOrder): boolean =>
  a.by === b.by && a.descending === b.descending
