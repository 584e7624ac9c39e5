import { readText, type TextSource } from '../rows/text-source.ts'
import { arrangeRows, type TableArrangement } from './arrange-rows.ts'
import { type CellStore, createCellStore } from './cell-store.ts'
import { columnLayout } from './column-widths.ts'
import { createCsvReader } from './csv-reader.ts'
import type { TableCommand, TableContent, TableFormat, TableMessage, TableWindow } from './table-messages.ts'

/** The limits of a table (a million rows and their header), which keep the memory of the tab below about 1 GB. */
const limits = { rows: 1_000_001, cells: 40_000_000, characters: 400_000_000 }

/** A cell is shown up to this length, in characters. The whole text of the active cell is shown below the table. */
const shownLength = 200
/** The whole text of a cell is shown up to this length, in characters. */
const wholeLength = 100_000
/** The shortest time between two messages while a text is read, in milliseconds. */
const progressMs = 100

type Table = { readonly cells: CellStore; isComplete: boolean; isCut: boolean }

const emptyTable = (): Table => ({ cells: createCellStore(limits), isComplete: false, isCut: false })

const noWindow: TableWindow = {
  firstRow: 0,
  endRow: 0,
  firstColumn: 0,
  endColumn: 0,
  active: { row: 0, column: 0 },
}

/**
 * Holds a table, and answers the commands of the page through `post`: it sends the rows in the window, and sends them
 * again whenever they change. It runs in a worker, because reading and sorting a million rows takes seconds.
 */
export function createTableSession(post: (message: TableMessage) => void): (command: TableCommand) => void {
  let table = emptyTable()
  let reading = new AbortController()
  let window = noWindow
  let arrangement: TableArrangement = { order: null, filter: '', hasHeader: true }
  /** The rows to show, or null for all. */
  let arranged: Uint32Array | null = null
  let laidOutColumns = 0

  const postContent = (): void =>
    post({ kind: 'content', content: contentOf(table, { window, arranged, arrangement }) })
  const arrange = (): void => {
    arranged = arrangeRows(table.cells, arrangement)
  }
  /** Sends the page the state of a table that has got more rows, or that has replaced the previous table. */
  const showProgress = (next: Table): void => {
    if (next !== table || next.isComplete || laidOutColumns !== next.cells.columns()) {
      laidOutColumns = next.cells.columns()
      post({ kind: 'layout', ...columnLayout(next.cells) })
    }
    if (next !== table || next.isComplete) {
      table = next
      arrange()
    }
    postContent()
  }
  const open = async (opened: Omit<ReadTableOptions, 'signal'>): Promise<void> => {
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    // While a text is typed, the table of the text before stays until the next one is complete.
    const isFirst = !table.isComplete
    try {
      await readTable({ ...opened, signal }, (next) => {
        if (isFirst || next.isComplete) showProgress(next)
      })
    } catch {
      if (!signal.aborted) post({ kind: 'failed' })
    }
  }
  return (command) => {
    if (command.kind === 'open') void open(command)
    if (command.kind === 'show') window = command.window
    if (command.kind === 'arrange') {
      arrangement = command.arrangement
      arrange()
    }
    if (command.kind !== 'open') postContent()
  }
}

type ReadTableOptions = {
  readonly source: TextSource
  readonly name: string
  readonly format: TableFormat
  readonly signal: AbortSignal
}

/** Reads a table, and calls `onProgress` after the first rows, from time to time, and at the end. */
async function readTable(
  { source, name, format, signal }: ReadTableOptions,
  onProgress: (table: Table) => void,
): Promise<void> {
  let table = emptyTable()
  const newReader = () => createCsvReader(usualDelimiterOf(name), format.delimiter)
  let reader = newReader()
  let toldMs = 0
  await readText(source, {
    onPiece: (piece) => {
      table.cells.add(reader.read(piece))
      table.isCut = table.cells.isFull()
      if (!table.isCut && Date.now() - toldMs > progressMs) {
        toldMs = Date.now()
        onProgress(table)
      }
      return !table.isCut
    },
    onRestart: () => {
      table = emptyTable()
      reader = newReader()
    },
    encoding: format.encoding,
    signal,
  })
  if (!table.isCut) table.cells.add(reader.end())
  table.isComplete = true
  onProgress(table)
}

const usualDelimiterOf = (name: string): string => (/\.(tsv|tab)$/i.test(name) ? '\t' : ',')

type View = {
  readonly window: TableWindow
  readonly arranged: Uint32Array | null
  readonly arrangement: TableArrangement
}

function contentOf(
  { cells, isComplete, isCut }: Table,
  { window, arranged, arrangement }: View,
): TableContent {
  const { hasHeader } = arrangement
  const first = hasHeader ? 1 : 0
  const total = Math.max(0, cells.rows() - first)
  const shown = arranged?.length ?? total
  const rowAt = (index: number): number => arranged?.[index] ?? index + first
  const shownCells = (row: number): string[] => {
    const texts: string[] = []
    for (let column = window.firstColumn; column < window.endColumn; column += 1)
      texts.push(shortened(cells.cell(row, column)))
    return texts
  }
  const rows = []
  for (let index = window.firstRow; index < Math.min(window.endRow, shown); index += 1) {
    const row = rowAt(index)
    rows.push({ number: row - first + 1, cells: shownCells(row) })
  }
  const { row, column } = window.active
  const hasActive = row === -1 ? hasHeader : row < shown
  return {
    window,
    rows,
    header: hasHeader && cells.rows() > 0 ? shownCells(0) : null,
    activeText: hasActive ? cells.cell(row === -1 ? 0 : rowAt(row), column).slice(0, wholeLength) : '',
    total,
    shown,
    columns: cells.columns(),
    arrangement,
    isComplete,
    isCut,
  }
}

const shortened = (text: string): string =>
  text.length > shownLength ? `${text.slice(0, shownLength)}…` : text
