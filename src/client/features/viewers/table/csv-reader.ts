import Papa from 'papaparse'
import { delimiters } from './delimiters.ts'

/** A line of a table: the texts of its cells. */
export type CsvRecord = readonly string[]

/** Reads the records of a table piece by piece. */
export type CsvReader = {
  /** Returns the records that are complete with this piece of the text. */
  readonly read: (piece: string) => readonly CsvRecord[]
  /** Returns the records after the last piece. */
  readonly end: () => readonly CsvRecord[]
}

/** The number of columns that Excel has. The last cell of a longer record contains all others. */
export const maxColumns = 16_384
/**
 * The largest number of characters in a record. A longer record begins with a quote that is never closed, or is not a
 * record at all, and would have to be read again with every piece.
 */
const maxRecordLength = 1024 * 1024
/** After this many quotes that are not closed, quotes mean nothing for the rest of the text. */
const maxRepairs = 100

/**
 * Creates a reader of CSV. The usual delimiter is used when the text does not tell which one it has and none was chosen. A quote
 * that is never closed is taken for an ordinary character, so that it spoils no other line than its own.
 */
export function createCsvReader(usualDelimiter: string, chosenDelimiter: string | null = null): CsvReader {
  let rest = ''
  let delimiter: string | null = null
  let hasQuotes = true
  let repairs = 0

  const parse = (
    text: string,
    isPart: boolean,
  ): { readonly data: string[][]; readonly length: number; readonly isOpen: boolean } => {
    const parser = new Papa.Parser({
      delimiter: delimiter ?? usualDelimiter,
      newline: '\n',
      ...(!hasQuotes && { fastMode: true }),
    })
    const { data, errors, meta } = parser.parse(text, 0, isPart) as Papa.ParseResult<string[]>
    return { data, length: meta.cursor, isOpen: errors.some(({ code }) => code === 'MissingQuotes') }
  }
  /** Takes the first line of the remaining text, without regard to quotes. */
  const takeLine = (): string[] => {
    const newline = rest.indexOf('\n')
    const line = newline === -1 ? rest : rest.slice(0, newline)
    rest = newline === -1 ? '' : rest.slice(newline + 1)
    repairs += 1
    hasQuotes = repairs < maxRepairs
    return line.split(delimiter ?? usualDelimiter)
  }
  const takeRecords = (isEnd: boolean): CsvRecord[] => {
    const records: string[][] = []
    while (rest !== '') {
      const complete = parse(rest, true)
      for (const record of complete.data) records.push(record)
      rest = rest.slice(complete.length)
      if (!isEnd && rest.length <= maxRecordLength) break
      const last = parse(rest, false)
      if (!isEnd || (last.isOpen && rest.includes('\n'))) records.push(takeLine())
      else {
        for (const record of last.data) records.push(record)
        rest = ''
      }
    }
    return records.map((record) => withinLimit(record, delimiter ?? usualDelimiter))
  }
  const take = (piece: string, isEnd: boolean): CsvRecord[] => {
    // A CR at the end of a piece may belong to a CRLF.
    const text = rest + piece
    const isHalf = !isEnd && text.endsWith('\r')
    rest = normalised(isHalf ? text.slice(0, -1) : text)
    if (delimiter === null && rest !== '') {
      const declaration = /^sep=(.)(\n|$)/i.exec(rest)
      delimiter = chosenDelimiter ?? declaration?.[1] ?? guessDelimiter(rest, usualDelimiter)
      rest = rest.slice(declaration?.[0].length ?? 0)
    }
    const records = takeRecords(isEnd)
    if (isHalf) rest += '\r'
    return records
  }
  return { read: (piece) => take(piece, false), end: () => take('', true) }
}

const normalised = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text)

/** The number of lines at the start of a text from which its delimiter is guessed. */
const guessLines = 20

function guessDelimiter(text: string, usual: string): string {
  const { meta, errors } = Papa.parse(text, {
    delimitersToGuess: [...delimiters],
    newline: '\n',
    skipEmptyLines: true,
    preview: guessLines,
  })
  return errors.some(({ code }) => code === 'UndetectableDelimiter') ? usual : meta.delimiter
}

const withinLimit = (record: string[], delimiter: string): CsvRecord =>
  record.length <= maxColumns
    ? record
    : [...record.slice(0, maxColumns - 1), record.slice(maxColumns - 1).join(delimiter)]
