import { columnOf, type GridGeometry, sectionAt } from '../grid/geometry.ts'

/**
 * Returns the row in the same column that is `lines` lines below `index`, or above it for a negative number. When the
 * target line is too short or does not exist, returns the nearest row. Among tiles of different widths, returns the nearest one of the line.
 */
export function rowByLines(geometry: GridGeometry, index: number, lines: number): number {
  const { columns, total, tiles } = geometry
  if (tiles) return tiles.rowByLines(index, lines)
  const from = sectionAt(geometry, 'first', index)
  const target = from.firstLine + Math.floor((index - from.first) / columns) + lines
  const last = sectionAt(geometry, 'first', total - 1)
  const lastLine = last.firstLine + Math.ceil(last.count / columns) - 1
  const line = Math.min(Math.max(target, 0), lastLine)
  const section = sectionAt(geometry, 'firstLine', line)
  const start = section.first + (line - section.firstLine) * columns
  return Math.min(start + columnOf(geometry, index), section.first + section.count - 1)
}
