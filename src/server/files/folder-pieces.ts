import { fileTypes } from '../../shared/domain/file-kind.ts'
import { wireMode } from '../../shared/domain/entry.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { ResourceItem } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/domain/sorting.ts'
import { entryFlag, type EntryPage, type Listing } from '../storage/port.ts'
import { createIsoWriter, escapedText } from './json-text.ts'
import { filmType, type SubtitleIndex } from './subtitle-index.ts'

/**
 * Number of rows that are written as one piece of text: enough to keep the overhead of a piece small, few enough to
 * keep memory use flat.
 */
const rowsPerPiece = 2048

/**
 * Subtitles may come anywhere in a folder, so the rows from the first film on wait until all names of the folder are
 * known. Beyond 100,000 waiting rows the answer goes on without waiting, to bound memory.
 */
const maxDelayedRows = 100_000

/** A folder listing and everything else that its JSON answer contains. */
export type FolderContent = {
  readonly head: ResourceItem
  readonly listing: Listing
  readonly folder: Path
  readonly sorting: Sorting
  /** Set when films are listed with their subtitles. Guests do not get these. */
  readonly subtitles?: SubtitleIndex
}

/**
 * Writes a folder as the JSON of contract 3.1, page by page as the storage yields it. The text is concatenated by hand:
 * building an object for each of 100,000 rows and serialising it would take longer than reading the disk.
 */
export async function* folderPieces(content: FolderContent): AsyncGenerator<string> {
  const { head, listing, sorting, subtitles } = content
  const write = itemWriter(content.folder)
  let separator = '{"items":['
  const pages = subtitles === undefined ? listing.pages : delayedFromFirstFilm(listing.pages, subtitles)
  for await (const page of pages) {
    for (let from = 0; from < page.names.length; from += rowsPerPiece) {
      const rows = { page, from, to: Math.min(page.names.length, from + rowsPerPiece) }
      const text = write(rows, subtitles === undefined ? noSubtitles : await subtitlesOfRows(subtitles, rows))
      yield separator + text
      separator = ','
    }
  }
  const counts = { numDirs: listing.folders, numFiles: listing.total - listing.folders, sorting }
  const start = separator === ',' ? '' : separator
  yield `${start}],${JSON.stringify({ ...counts, ...head }).slice(1)}`
}

/**
 * Yields the pages in their order. The pages from the first film on are held back until all names of the folder are
 * known, or until too many rows wait.
 */
async function* delayedFromFirstFilm(
  pages: AsyncIterable<EntryPage>,
  subtitles: SubtitleIndex,
): AsyncGenerator<EntryPage> {
  const delayed: EntryPage[] = []
  let delayedRows = 0
  for await (const page of pages) {
    subtitles.add(page)
    if (delayed.length === 0 && !page.types.includes(filmType)) yield page
    else {
      delayed.push(page)
      delayedRows += page.names.length
    }
    if (delayedRows <= maxDelayedRows) continue
    yield* delayed.splice(0)
    delayedRows = 0
  }
  yield* delayed
}

/** The rows of a page from index `from` up to, and without, index `to`. */
type PageRows = { readonly page: EntryPage; readonly from: number; readonly to: number }

/** The paths of subtitles by the row index of their film. */
type SubtitlesByRow = ReadonlyMap<number, readonly Path[]>

const noSubtitles: SubtitlesByRow = new Map()

/** Finds the subtitles of the films among these rows. */
async function subtitlesOfRows(
  subtitles: SubtitleIndex,
  { page, from, to }: PageRows,
): Promise<SubtitlesByRow> {
  if (!page.types.includes(filmType)) return noSubtitles
  const subtitlesByRow = new Map<number, readonly Path[]>()
  for (let at = from; at < to; at += 1) {
    if (page.types[at] !== filmType) continue
    const found = await subtitles.find(page.names[at] ?? '')
    if (found.length > 0) subtitlesByRow.set(at, found)
  }
  return subtitlesByRow
}

/** Returns a function that writes rows of the folder as JSON objects, separated by commas. */
function itemWriter(folder: Path): (rows: PageRows, subtitlesByRow: SubtitlesByRow) => string {
  const pathPrefix = escapedText(folder === root ? '/' : `${folder}/`)
  const iso = createIsoWriter()
  return ({ page, from, to }, subtitlesByRow) => {
    let text = ''
    for (let at = from; at < to; at += 1) {
      const name = escapedText(page.names[at] ?? '')
      const flags = page.flags[at] ?? 0
      const dot = name.lastIndexOf('.')
      if (at > from) text += ','
      text +=
        `{"path":"${pathPrefix}${name}","name":"${name}","size":${page.sizesBytes[at]},` +
        `"extension":"${dot < 0 ? '' : name.slice(dot)}","modified":"${iso(page.modifiedMs[at] ?? 0)}",` +
        `"mode":${wireMode(page.modes[at] ?? 0)},"isDir":${(flags & entryFlag.folder) !== 0},` +
        `"isSymlink":${(flags & entryFlag.link) !== 0},"type":"${fileTypes[page.types[at] ?? 0]}"${subtitlesText(subtitlesByRow.get(at))}}`
    }
    return text
  }
}

const subtitlesText = (paths: readonly Path[] | undefined): string =>
  paths === undefined ? '' : `,"subtitles":[${paths.map((path) => `"${escapedText(path)}"`).join(',')}]`
