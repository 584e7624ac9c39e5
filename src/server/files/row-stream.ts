import { fileTypes } from '../../shared/domain/file-types.ts'
import type { RowStreamHead } from '../../shared/contract/resources.ts'
import type { EntryPage, Listing } from '../storage/port.ts'
import { escapedText } from './json-text.ts'

/**
 * Number of rows in the first line. The first line is short, so that the client can show rows early. Later lines have
 * more rows, so that a large folder has few lines.
 */
const rowsInFirstLine = 256
const rowsPerLine = 2048

/**
 * Yields a folder listing in the row format: one line with the head, then lines that are JSON arrays of rows. Each line
 * is sent as soon as the storage has yielded its rows.
 */
export async function* rowStreamChunks(head: RowStreamHead, pages: Listing['pages']): AsyncGenerator<string> {
  let prefix = `${JSON.stringify(head)}\n`
  let maxRows = rowsInFirstLine
  for await (const page of pages) {
    for (let from = 0; from < page.names.length;) {
      const to = Math.min(page.names.length, from + maxRows)
      yield prefix + rowsLine(page, from, to)
      prefix = ''
      maxRows = rowsPerLine
      from = to
    }
  }
  if (prefix !== '') yield prefix
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
