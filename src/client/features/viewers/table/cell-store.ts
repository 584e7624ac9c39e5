import type { CsvRecord } from './csv-reader.ts'

/**
 * The cells of a table. A million rows as JavaScript strings would need several hundred megabytes, so that the cells of many
 * rows share one string and a list of offsets.
 */
export type CellStore = {
  readonly add: (records: readonly CsvRecord[]) => void
  /** The number of rows, the header included. */
  readonly rows: () => number
  /** The number of cells in the longest row. */
  readonly columns: () => number
  readonly isFull: () => boolean
  /** Returns the text of a cell, or an empty text where a row has no such cell. */
  readonly cell: (row: number, column: number) => string
  /** Returns the rows from `first` with a cell in which the pattern is found, in their order. */
  readonly rowsWith: (pattern: RegExp, first: number) => Uint32Array
}

/** The rows that were added together. Their cells are separated by `separator`. */
type CellBlock = {
  readonly firstRow: number
  readonly text: string
  /** The offset of the end of each cell. */
  readonly ends: Uint32Array
  /** The index of the first cell of each row, and the number of cells at the end. */
  readonly firstCells: Uint32Array
}

const separator = '\0'

/** The largest table that is read. The cells need about 4 bytes each beside their text. */
export type CellLimits = { readonly rows: number; readonly cells: number; readonly characters: number }

export function createCellStore(limits: CellLimits): CellStore {
  const blocks: CellBlock[] = []
  const counts = { rows: 0, cells: 0, characters: 0 }
  let columns = 0
  const blockOf = (row: number): CellBlock | undefined => {
    let low = 0
    let high = blocks.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((blocks[middle]?.firstRow ?? 0) <= row) low = middle
      else high = middle - 1
    }
    return blocks[low]
  }
  return {
    add: (all) => {
      const records = all.slice(0, limits.rows - counts.rows)
      if (records.length === 0) return
      const block = blockFrom(records, counts.rows)
      blocks.push(block)
      counts.rows += records.length
      counts.cells += block.ends.length
      counts.characters += block.text.length
      for (const { length } of records) columns = Math.max(columns, length)
    },
    rows: () => counts.rows,
    columns: () => columns,
    isFull: () =>
      counts.rows >= limits.rows || counts.cells >= limits.cells || counts.characters >= limits.characters,
    cell: (row, column) => {
      const block = row < counts.rows ? blockOf(row) : undefined
      if (block === undefined) return ''
      const at = row - block.firstRow
      const index = (block.firstCells[at] ?? 0) + column
      if (index >= (block.firstCells[at + 1] ?? 0)) return ''
      return block.text.slice(startOf(block, index), block.ends[index])
    },
    rowsWith: (pattern, first) => {
      const found: number[] = []
      for (const block of blocks) findRows(block, pattern, (row) => row >= first && found.push(row))
      return Uint32Array.from(found)
    },
  }
}

function blockFrom(records: readonly CsvRecord[], firstRow: number): CellBlock {
  const cells = records.flat()
  const ends = new Uint32Array(cells.length)
  let offset = 0
  for (const [index, cell] of cells.entries()) {
    ends[index] = offset + cell.length
    offset += cell.length + separator.length
  }
  const firstCells = new Uint32Array(records.length + 1)
  for (const [index, record] of records.entries()) {
    firstCells[index + 1] = (firstCells[index] ?? 0) + record.length
  }
  return { firstRow, text: cells.join(separator), ends, firstCells }
}

const startOf = ({ ends }: CellBlock, cell: number): number =>
  cell === 0 ? 0 : (ends[cell - 1] ?? 0) + separator.length

/** Calls `onFound` once for each row of a block in which the pattern is found. The pattern is global. */
function findRows(
  { text, ends, firstCells, firstRow }: CellBlock,
  pattern: RegExp,
  onFound: (row: number) => void,
): void {
  pattern.lastIndex = 0
  let row = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const endOf = (at: number): number => ends[(firstCells[at + 1] ?? 0) - 1] ?? text.length
    while (endOf(row) < match.index) row += 1
    onFound(firstRow + row)
    // One match is enough for a row.
    pattern.lastIndex = endOf(row) + separator.length
    if (pattern.lastIndex >= text.length) return
  }
}
