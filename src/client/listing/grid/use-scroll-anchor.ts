import { useLayoutEffect, useRef } from 'react'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import type { TopRow } from '../../state/scrolled-to.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import { type GridGeometry, rowsBetween, topOf } from './geometry.ts'
import type { GridHandle } from './listing.ts'
import type { ScrollWindow } from './use-scroll-window.ts'

type Rendered = { readonly rows: FolderRows; readonly geometry: GridGeometry }

/** A row, and the scroll position in CSS pixels at which it has its distance from the top of the view. */
type Anchor = TopRow & { readonly topPx: number }

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
  /** Scrolls and makes a row the anchor. The row may arrive later, and the list may end before the position. */
  const scrollTo = (topPx: number, row: TopRow | null): void => {
    scroll.scrollTo(topPx)
    last.current = row && { ...row, topPx: scroll.topPx() }
  }
  useLayoutEffect(() => {
    const before = rendered.current
    rendered.current = { rows, geometry }
    const top = scroll.topPx()
    const isUnchanged = before.rows.listing === rows.listing && before.geometry.tiles === geometry.tiles
    if (isUnchanged || top === 0) return
    if (!isSameOrder(before.rows.sortedBy, rows.sortedBy)) return queueMicrotask(() => scroll.scrollTo(0))
    const kept = keptAt(top)
    const row = placeOf(kept) === null ? anchorAt(before, top) : kept
    const topPx = placeOf(row) ?? top
    if (topPx === top) last.current = row && { ...row, topPx }
    else queueMicrotask(() => scrollTo(topPx, row))
  })
  return {
    scrolledTo() {
      const scrollPx = scroll.topPx()
      const topRow = keptAt(scrollPx) ?? (geometry.tiles ? anchorAt(rendered.current, scrollPx) : null)
      return { scrollPx, topRow }
    },
    restore: ({ scrollPx, topRow = null }) => scrollTo(placeOf(topRow) ?? scrollPx, topRow),
  }
}

/** Returns the first row of the view, also where a heading is at the top. Null where no row has arrived. */
function anchorAt({ rows, geometry }: Rendered, topPx: number): Anchor | null {
  const { first, end } = rowsBetween(geometry, topPx, topPx + geometry.lineHeight)
  const index = Math.min(first, rows.summary.arrived - 1)
  if (end === 0 || index < 0) return null
  return { name: rows.nameAt(index), distancePx: topOf(geometry, index) - topPx, topPx }
}

const isSameOrder = (a: ListingOrder, b: ListingOrder): boolean =>
  a.by === b.by && a.descending === b.descending
