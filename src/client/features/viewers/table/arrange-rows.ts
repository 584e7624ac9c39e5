import type { CellStore } from './cell-store.ts'

/** The order of a table by one of its columns. */
export type ColumnOrder = { readonly column: number; readonly isDescending: boolean }

/** The filter and the order that the user has chosen for a table. */
export type TableArrangement = {
  /** Null keeps the order of the file. */
  readonly order: ColumnOrder | null
  /** The rows with this text in a cell are shown, without regard to upper and lower case. An empty text shows all. */
  readonly filter: string
  /** True when the first row contains the names of the columns. */
  readonly hasHeader: boolean
}

/** Returns the rows to show in their order, or null for all rows in the order of the file. */
export function arrangeRows(
  store: CellStore,
  { order, filter, hasHeader }: TableArrangement,
): Uint32Array | null {
  const first = hasHeader ? 1 : 0
  if (filter === '' && order === null) return null
  const rows =
    filter === ''
      ? Uint32Array.from({ length: Math.max(0, store.rows() - first) }, (_, index) => index + first)
      : store.rowsWith(new RegExp(escaped(filter), 'gi'), first)
  if (order !== null) sortRows(store, rows, order)
  return rows
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A number as people and programs write it, without grouped digits. */
const numberPattern = /^\s*[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?\s*%?\s*$/i

/** The kinds of cells, in their ascending order. */
const kinds = { number: 0, text: 1, empty: 2 } as const

/**
 * Sorts rows by a column: numbers by their value, then texts, then empty cells. Empty cells stay last in the descending order
 * too.
 */
function sortRows(store: CellStore, rows: Uint32Array, { column, isDescending }: ColumnOrder): void {
  const texts = Array.from({ length: store.rows() }, () => '')
  const numbers = new Float64Array(store.rows())
  const kindOf = new Uint8Array(store.rows())
  for (const row of rows) {
    const text = store.cell(row, column)
    texts[row] = text
    kindOf[row] = text.trim() === '' ? kinds.empty : numberPattern.test(text) ? kinds.number : kinds.text
    numbers[row] = Number.parseFloat(text.replace(',', '.'))
  }
  const compareTexts = new Intl.Collator().compare
  const sign = isDescending ? -1 : 1
  rows.sort((a, b) => {
    const kindA = kindOf[a] ?? kinds.empty
    const kindB = kindOf[b] ?? kinds.empty
    if (kindA === kinds.empty || kindB === kinds.empty) return kindA - kindB || a - b
    if (kindA !== kindB) return sign * (kindA - kindB)
    const difference =
      kindA === kinds.number
        ? (numbers[a] ?? 0) - (numbers[b] ?? 0)
        : compareTexts(texts[a] ?? '', texts[b] ?? '')
    return sign * difference || a - b
  })
}
