import type { CellStore } from './cell-store.ts'
import type { ColumnLayout } from './table-messages.ts'

/** The number of rows at the start of a table that decide about the widths of its columns. */
const sampleRows = 500
/** The largest number of cells that are looked at, for tables with thousands of columns. */
const sampleCells = 100_000
const minCharacters = 4
/** The widest column at first. A column that is fitted to its content may be as wide as the longest cell that is shown. */
const maxCharacters = 40
const maxFittedCharacters = 200
/** The room for the arrow of the order beside the name of a column. */
const arrowCharacters = 4

/** Returns the widths of the columns by their content, in characters. */
export const columnLayout = (cells: CellStore): ColumnLayout => ({
  widths: columnWidths(cells, maxCharacters),
  fitted: columnWidths(cells, maxFittedCharacters),
})

function columnWidths(cells: CellStore, maxWidth: number): readonly number[] {
  const columns = cells.columns()
  const rows = Math.min(cells.rows(), sampleRows, Math.ceil(sampleCells / Math.max(1, columns)))
  return Array.from({ length: columns }, (_, column) => {
    let width = Math.max(minCharacters, charactersOf(cells.cell(0, column)) + arrowCharacters)
    for (let row = 1; row < rows && width < maxWidth; row += 1)
      width = Math.max(width, charactersOf(cells.cell(row, column)))
    return Math.min(width, maxWidth)
  })
}

/** Returns the width of a text in Latin characters. Chinese, Japanese and Korean characters are twice as wide. */
const charactersOf = (text: string): number =>
  text.length +
  (text.slice(0, maxFittedCharacters).match(/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uff00-\uff60]/g)
    ?.length ?? 0)
