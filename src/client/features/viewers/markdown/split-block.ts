import type { Token, Tokens } from 'marked'

/** The length of a part, in characters of the source. A part takes about 10 ms to render. */
export const partLength = 4000

/** The lengths of the longest word and of the longest text in a column, in letters. */
export type ColumnLengths = { readonly word: number; readonly text: number }

/** A piece of a block that is too long for one part of a document. */
export type BlockPiece = {
  readonly token: Token
  /** The block that the piece continues, or null for the first piece of a block and for a whole block. */
  readonly continued: 'list' | 'table' | null
  /** The columns of a table of several pieces, or null. */
  readonly columns: readonly ColumnLengths[] | null
}

/** Splits a long list between its items and a long table between its rows. Returns other blocks as a single piece. */
export function splitBlock(block: Token): readonly BlockPiece[] {
  const [list, table] = [block as Tokens.List, block as Tokens.Table]
  if (block.raw.length >= partLength && block.type === 'list') return piecesOfList(list)
  if (block.raw.length >= partLength && block.type === 'table') return piecesOfTable(table)
  return [wholeBlock(block)]
}

/** Returns a block as a single piece. */
export const wholeBlock = (token: Token): BlockPiece => ({ token, continued: null, columns: null })

/** Returns lists of some of the items each. The numbers of a numbered list continue. */
function piecesOfList(list: Tokens.List): readonly BlockPiece[] {
  return runsOf(list.items, ({ raw }) => raw.length).map(({ start, values: items, length }) => ({
    token: {
      ...list,
      raw: ' '.repeat(length),
      items: [...items],
      start: list.start === '' ? '' : list.start + start,
    },
    continued: start === 0 ? null : 'list',
    columns: null,
  }))
}

/** Returns tables of some of the rows each. The headings of all but the first table are empty. */
function piecesOfTable(table: Tokens.Table): readonly BlockPiece[] {
  const runs = runsOf(table.rows, (row) => row.reduce((sum, { text }) => sum + text.length + 3, 0))
  const columns = runs.length > 1 ? columnsOf(table) : null
  return runs.map(({ start, values: rows, length }) => ({
    token: {
      ...table,
      raw: ' '.repeat(length),
      header: start === 0 ? table.header : table.header.map((cell) => ({ ...cell, text: '', tokens: [] })),
      rows: [...rows],
    },
    continued: start === 0 ? null : 'table',
    columns,
  }))
}

/** The limits of the longest word and text that a column leaves room for, in letters. Longer ones have several lines. */
const [maxWord, minText, maxText] = [12, 4, 60]

const columnsOf = ({ header, rows }: Tokens.Table): readonly ColumnLengths[] =>
  header.map((heading, column) => {
    const texts = [heading, ...rows.map((row) => row[column])].map((cell) => cell?.text ?? '')
    const word = longestLength(texts.flatMap((text) => text.split(' ')))
    const text = longestLength(texts)
    return { word: Math.min(word, maxWord), text: Math.min(Math.max(text, minText), maxText) }
  })

const longestLength = (texts: readonly string[]): number =>
  texts.reduce((longest, { length }) => Math.max(longest, length), 0)

/** A run of neighbours: the index of the first value, the values, and the sum of their lengths. */
type Run<T> = { readonly start: number; readonly values: T[]; length: number }

/** Splits values into runs that are as long as a part. The last run may be shorter. */
function runsOf<T>(values: readonly T[], lengthOf: (value: T) => number): readonly Run<T>[] {
  const runs: Run<T>[] = []
  let run: Run<T> | undefined
  for (const [index, value] of values.entries()) {
    if (run === undefined || run.length >= partLength) {
      run = { start: index, values: [], length: 0 }
      runs.push(run)
    }
    run.values.push(value)
    run.length += lengthOf(value)
  }
  return runs
}
