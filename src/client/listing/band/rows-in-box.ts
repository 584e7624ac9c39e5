import { columnOf, type GridGeometry, rowsBetween } from '../grid/geometry.ts'
import type { CardMetrics } from '../tiles/tile-layout.ts'

/** A rectangle in the content, in CSS pixels. `start` and `end` are measured from the start of the lines. */
export type ContentBox = {
  readonly top: number
  readonly bottom: number
  readonly start: number
  readonly end: number
}

/** Returns the rows that overlap a rectangle. `card` has the sizes of equal cards, and is null for rows that fill the width. */
export function rowsInBox(geometry: GridGeometry, card: CardMetrics | null, box: ContentBox): number[] {
  const { first, end } = rowsBetween(geometry, box.top, box.bottom)
  const indexes: number[] = []
  for (let index = first; index < end; index += 1) {
    const { start, width } = placeInLine(geometry, card, index)
    if (start <= box.end && start + width >= box.start) indexes.push(index)
  }
  return indexes
}

function placeInLine(
  geometry: GridGeometry,
  card: CardMetrics | null,
  index: number,
): { readonly start: number; readonly width: number } {
  if (card === null) return { start: 0, width: Infinity }
  const { width, gap, start } = card
  return geometry.tiles?.tileAt(index) ?? { start: start + columnOf(geometry, index) * (width + gap), width }
}
