import { columnOf, type GridGeometry, rowsBetween } from '../grid/geometry.ts'

/** Returns the rows that overlap a rectangle. The rectangle includes both its first and its last column. */
export function rowsInBox(
  geometry: GridGeometry,
  box: {
    readonly top: number
    readonly bottom: number
    readonly firstColumn: number
    readonly lastColumn: number
  },
): number[] {
  const { first, end } = rowsBetween(geometry, box.top, box.bottom)
  const indexes: number[] = []
  for (let index = first; index < end; index += 1) {
    const column = columnOf(geometry, index)
    if (column >= box.firstColumn && column <= box.lastColumn) indexes.push(index)
  }
  return indexes
}
