import type { CellPosition } from './table-messages.ts'

/** A pressed key, and the size of the table in which the key moves the active cell. */
export type CellMove = {
  readonly key: string
  readonly isCtrl: boolean
  readonly rows: number
  readonly columns: number
  /** The number of rows by which Page Up and Page Down move. */
  readonly perView: number
  readonly isRightToLeft: boolean
}

/** Returns the cell to which a key moves, or null for a key that does not move. Row -1 is the header. */
export function cellAfterKey({ row, column }: CellPosition, move: CellMove): CellPosition | null {
  const { key, isCtrl, rows, columns, perView, isRightToLeft } = move
  const within = (to: CellPosition): CellPosition => ({
    row: Math.max(-1, Math.min(to.row, rows - 1)),
    column: Math.max(0, Math.min(to.column, columns - 1)),
  })
  const forward = isRightToLeft ? -1 : 1
  switch (key) {
    case 'ArrowDown':
      return within({ row: isCtrl ? rows : row + 1, column })
    case 'ArrowUp':
      return within({ row: isCtrl ? Math.min(row, 0) : row - 1, column })
    case 'ArrowRight':
      return within({ row, column: isCtrl ? edgeOf(forward, columns) : column + forward })
    case 'ArrowLeft':
      return within({ row, column: isCtrl ? edgeOf(-forward, columns) : column - forward })
    case 'PageDown':
      return within({ row: row + perView, column })
    case 'PageUp':
      return within({ row: row <= 0 ? row : Math.max(0, row - perView), column })
    case 'Home':
      return within(isCtrl ? { row: 0, column: 0 } : { row, column: 0 })
    case 'End':
      return within(isCtrl ? { row: rows, column: columns } : { row, column: columns })
    default:
      return null
  }
}

const edgeOf = (direction: number, columns: number): number => (direction > 0 ? columns : 0)
