import type { TextSource } from '../rows/text-source.ts'
import type { TableArrangement } from './arrange-rows.ts'

/** A cell by its place on screen. Row -1 is the header. */
export type CellPosition = { readonly row: number; readonly column: number }

/** The part of a table that is rendered, and the cell that has the focus or had it last. Ends are not included. */
export type TableWindow = {
  readonly firstRow: number
  readonly endRow: number
  readonly firstColumn: number
  readonly endColumn: number
  readonly active: CellPosition
}

/** The separator and the encoding with which the bytes of a table are read. Null lets the reader guess. */
export type TableFormat = { readonly delimiter: string | null; readonly encoding: string | null }

/** A message from the page to the worker of a table. */
export type TableCommand =
  | {
      readonly kind: 'open'
      readonly source: TextSource
      readonly name: string
      readonly format: TableFormat
    }
  | { readonly kind: 'show'; readonly window: TableWindow }
  | { readonly kind: 'arrange'; readonly arrangement: TableArrangement }

/** A row in the window: its number in the file, from 1 and without the header, and its cells in the columns of the window. */
export type WindowRow = { readonly number: number; readonly cells: readonly string[] }

/** A part of a table, as it is now. */
export type TableContent = {
  readonly window: TableWindow
  readonly rows: readonly WindowRow[]
  /** The names of the columns in the window, or null when the table has none. */
  readonly header: readonly string[] | null
  /** The whole text of the active cell. */
  readonly activeText: string
  /** The number of rows without the header, and how many of them the filter leaves. */
  readonly total: number
  readonly shown: number
  readonly columns: number
  /** The arrangement of these rows. */
  readonly arrangement: TableArrangement
  readonly isComplete: boolean
  /** True when the file is larger than a table can be. */
  readonly isCut: boolean
}

/** The widths of the columns in characters: at first, and when a column is fitted to its content. */
export type ColumnLayout = { readonly widths: readonly number[]; readonly fitted: readonly number[] }

/** A message from the worker to the page. */
export type TableMessage =
  | { readonly kind: 'content'; readonly content: TableContent }
  | ({ readonly kind: 'layout' } & ColumnLayout)
  | { readonly kind: 'failed' }
