import { columnOf, type GridGeometry } from '../grid/geometry.ts'
import { rowByLines } from './row-by-lines.ts'

export type FocusMoveOptions = {
  readonly key: string
  /** The index of the focused row, or -1 when no row has the focus. */
  readonly from: number
  /** The number of lines that are visible at a time. */
  readonly pageLines: number
  readonly isRightToLeft: boolean
}

/**
 * Returns the row to which a navigation key moves the focus, or null for any other key. The left and right arrows move
 * the focus only when there are several columns.
 */
export function rowAfterKey(
  geometry: GridGeometry,
  { key, from, pageLines, isRightToLeft }: FocusMoveOptions,
): number | null {
  const last = geometry.total - 1
  if (last < 0 || !isMove(key, geometry)) return null
  if (key === 'End') return last
  if (key === 'Home' || from === -1) return 0
  const lines = linesOfKey(key, Math.max(pageLines - 1, 1))
  if (lines !== 0) return verticalMove(geometry, from, lines)
  const isForward = (key === 'ArrowRight') !== isRightToLeft
  return Math.min(Math.max(from + (isForward ? 1 : -1), 0), last)
}

/**
 * Returns the row that `rowByLines` finds for the same arguments. Returns `from` when that row is in a later column of
 * the mosaic.
 */
function verticalMove(geometry: GridGeometry, from: number, lines: number): number {
  const to = rowByLines(geometry, from, lines)
  return !geometry.tiles && columnOf(geometry, to) > columnOf(geometry, from) ? from : to
}

const isMove = (key: string, { columns }: GridGeometry): boolean =>
  ['ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'].includes(key) ||
  (columns > 1 && (key === 'ArrowLeft' || key === 'ArrowRight'))

function linesOfKey(key: string, pageLines: number): number {
  if (key === 'ArrowUp') return -1
  if (key === 'ArrowDown') return 1
  if (key === 'PageUp') return -pageLines
  return key === 'PageDown' ? pageLines : 0
}
