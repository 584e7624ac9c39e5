import type { ListingColumns } from './columns.ts'

/** The number of rows in a block. Testing a block takes less than 1 ms for most names. */
export const blockRows = 8192

/**
 * The names of a folder as texts in lower case, each with the names of one block of rows. Browsers search a text about
 * five times as fast as a program compares bytes: a million names take about 10 ms.
 */
export type NameBlocks = {
  /**
   * Returns the text of the rows from `start` to `end`, or null for names that have to be tested one by one: rows whose
   * names are not in the order of their ids, and blocks with characters outside of ASCII.
   */
  readonly textOf: (start: number, end: number) => string | null
}

/** In this encoding each byte is one character, so that positions in the text are positions in the bytes. */
const decoder = new TextDecoder('latin1')

/** Creates the texts of a folder's names. A text is created when it is first used, and kept. */
export function createNameBlocks(columns: ListingColumns): NameBlocks {
  const texts = new Map<number, string | null>()
  return {
    textOf: (start, end) => {
      if (columns.order !== null || columns.edits > 0) return null
      const known = texts.get(start)
      if (known !== undefined) return known
      const text = createText(columns, start, end)
      // A block whose rows are still arriving is not kept.
      if (end - start === blockRows) texts.set(start, text)
      return text
    },
  }
}

function createText(
  { names, nameStart, nameBytes }: ListingColumns,
  start: number,
  end: number,
): string | null {
  const from = nameStart[start] ?? 0
  const to = (nameStart[end - 1] ?? 0) + (nameBytes[end - 1] ?? 0)
  const text = decoder.decode(names.subarray(from, to))
  return /[^\0-\x7f]/.test(text) ? null : text.toLowerCase()
}

/** Calls `onMatch` with the id of each row of a block whose name contains the term, in ascending order. */
export function findInBlock(
  { nameStart, nameBytes }: ListingColumns,
  block: { readonly text: string; readonly start: number },
  { term, onMatch }: { readonly term: string; readonly onMatch: (id: number) => void },
): void {
  const { text, start } = block
  const base = nameStart[start] ?? 0
  let id = start
  let idEnd = nameBytes[start] ?? 0
  let at = text.indexOf(term)
  while (at !== -1) {
    while (idEnd <= at) {
      id += 1
      idEnd = (nameStart[id] ?? 0) + (nameBytes[id] ?? 0) - base
    }
    // The last letters of a name and the first letters of the next name are not a match.
    const isInside = at + term.length <= idEnd
    if (isInside) onMatch(id)
    at = text.indexOf(term, isInside ? idEnd : at + 1)
  }
}
