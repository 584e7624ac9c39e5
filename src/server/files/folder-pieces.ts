import { fileTypes } from '../../shared/domain/file-kind.ts'
import { wireMode } from '../../shared/domain/entry.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { ResourceItem } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/domain/sorting.ts'
import { flag, type EntryPage, type Listing } from '../storage/port.ts'
import { createIsoWriter, escapedText } from './json-text.ts'

/** How many rows become one piece of text: enough to be fast, small enough that memory stays flat. */
const rowsAPiece = 2048

export type FolderAnswer = {
  readonly head: ResourceItem
  readonly listing: Listing
  readonly folder: Path
  readonly sorting: Sorting
}

/**
 * A folder as the JSON of contract 3.1, written page by page as the storage gives it. The text is put together by hand: an object
 * and a serialiser's visit for each of 100,000 rows would cost more than reading the disk.
 */
export async function* folderPieces(answer: FolderAnswer): AsyncGenerator<string> {
  const { head, listing, sorting } = answer
  const write = itemWriter(answer.folder)
  let opening = '{"items":['
  for await (const page of listing.pages) {
    for (let from = 0; from < page.names.length; from += rowsAPiece) {
      const text = write(page, from, Math.min(page.names.length, from + rowsAPiece))
      yield opening + text
      opening = ','
    }
  }
  const counts = { numDirs: listing.folders, numFiles: listing.total - listing.folders, sorting }
  const start = opening === ',' ? '' : opening
  yield `${start}],${JSON.stringify({ ...counts, ...head }).slice(1)}`
}

function itemWriter(folder: Path): (page: EntryPage, from: number, to: number) => string {
  const above = escapedText(folder === root ? '/' : `${folder}/`)
  const iso = createIsoWriter()
  return (page, from, to) => {
    let text = ''
    for (let at = from; at < to; at += 1) {
      const name = escapedText(page.names[at] ?? '')
      const flags = page.flags[at] ?? 0
      const dot = name.lastIndexOf('.')
      if (at > from) text += ','
      text +=
        `{"path":"${above}${name}","name":"${name}","size":${page.sizesBytes[at]},` +
        `"extension":"${dot < 0 ? '' : name.slice(dot)}","modified":"${iso(page.modifiedMs[at] ?? 0)}",` +
        `"mode":${wireMode(page.modes[at] ?? 0)},"isDir":${(flags & flag.folder) !== 0},` +
        `"isSymlink":${(flags & flag.link) !== 0},"type":"${fileTypes[page.types[at] ?? 0]}"}`
    }
    return text
  }
}
