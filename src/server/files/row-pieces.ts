import { fileTypes } from '../../shared/domain/file-kind.ts'
import type { RowsHead } from '../../shared/contract/resources.ts'
import type { EntryPage, Listing } from '../storage/port.ts'
import { escapedText } from './json-text.ts'

/** The first rows are on screen before the rest is read; later lines are longer. */
const rowsOfFirstLine = 256
const rowsALine = 2048

/** A folder as rows: a line of head, then lines of arrays of rows, each sent when the storage has given it. */
export async function* rowPieces(head: RowsHead, listing: Listing): AsyncGenerator<string> {
  let opening = `${JSON.stringify(head)}\n`
  let mostRows = rowsOfFirstLine
  for await (const page of listing.pages) {
    for (let from = 0; from < page.names.length;) {
      const to = Math.min(page.names.length, from + mostRows)
      yield opening + rowsLine(page, from, to)
      opening = ''
      mostRows = rowsALine
      from = to
    }
  }
  if (opening !== '') yield opening
}

function rowsLine(page: EntryPage, from: number, to: number): string {
  let text = '['
  for (let at = from; at < to; at += 1) {
    if (at > from) text += ','
    text +=
      `["${escapedText(page.names[at] ?? '')}",${page.sizesBytes[at]},${Math.floor(page.modifiedMs[at] ?? 0)},` +
      `"${fileTypes[page.types[at] ?? 0]}",${page.flags[at]}]`
  }
  return `${text}]\n`
}
