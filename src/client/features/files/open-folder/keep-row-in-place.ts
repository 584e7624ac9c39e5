import { rowsBetween, topOf } from '../../../listing/grid/geometry.ts'
import type { GridHandle } from '../../../listing/grid/listing.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { type ListingColumns, idAt, indexOfId } from '../../../listing/rows/columns.ts'

/**
 * Changes rows without moving the row under the pointer on the screen. In a scrolled grid without a
 * row there, the focused row in view stays in place, or else the first row in view. At the top of the grid, rows make room
 * for a new first row, which would be hidden otherwise.
 */
export function keepRowInPlace(shown: ListingColumns, change: () => void): void {
  const { grid } = folderListing
  const before = grid.current
  const index = before === null ? -1 : indexToKeep(before)
  if (before === null || index === -1) return change()
  const id = idAt(shown, index)
  const distancePx = topOf(before.geometry(), index) - before.topPx()
  change()
  // The grid has rendered the changed rows by then, and the browser has not painted them yet.
  requestAnimationFrame(() => {
    const after = grid.current
    const movedTo = indexOfId(shown, id)
    if (after === null || movedTo === -1) return
    const topPx = Math.max(topOf(after.geometry(), movedTo) - distancePx, 0)
    if (topPx !== after.topPx()) after.scrollTo(topPx)
  })
}

/** Returns the index of the row that should not move, or -1 when every row may move. */
function indexToKeep(grid: GridHandle): number {
  const element = grid.element()
  if (element === null) return -1
  const geometry = grid.geometry()
  const inView = rowsBetween(geometry, grid.topPx(), grid.topPx() + element.clientHeight)
  const hovered = indexOfRow(element.querySelector('[role="row"]:hover'))
  const focused = indexOfRow(element.querySelector('[role="row"]:focus'))
  if (hovered !== -1 || grid.topPx() === 0) return hovered
  if (focused >= inView.first && focused < inView.end) return focused
  return inView.end > inView.first ? inView.first : -1
}

/** Returns the index of a row element; -1 for null and for the header row, which has no index. */
const indexOfRow = (row: HTMLElement | null): number => Number(row?.dataset['index'] ?? -1)
