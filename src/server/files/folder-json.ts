import { fileTypes } from '../../shared/domain/file-types.ts'
import { wireMode } from '../../shared/domain/entry.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { ResourceItem } from '../../shared/contract/resources.ts'
import type { SortPreference } from '../../shared/domain/sorting.ts'
import { entryFlag, type EntryPage, type Listing } from '../storage/port.ts'
import { createIsoFormatter, escapedText } from './json-text.ts'
import { filmType, type SubtitleIndex } from './subtitle-index.ts'

/**
 * Number of rows per chunk of JSON. Smaller chunks would have more overhead per row, and larger chunks would use more
 * memory.
 */
const rowsPerChunk = 2048
/**
 * Number of characters (512 Ki) of paths above which a chunk has fewer rows. Each row repeats the path of the folder, which may have
 * 24,000 characters as JSON.
 */
const pathCharactersPerChunk = 512 * 1024

/**
 * Maximum number of rows that are buffered. Subtitles may appear anywhere in a folder, so all rows starting with the
 * first film are buffered until all names of the folder are known. Above this limit, rows are sent immediately, which
 * bounds the memory use.
 */
const maxDelayedRows = 100_000

/** A folder listing, together with the other data from which its JSON response is written. */
export type FolderJsonContent = {
  readonly head: ResourceItem
  readonly listing: Listing
  readonly folder: Path
  readonly sorting: SortPreference
  /** The subtitles in the folder. The field is missing for guests, because their responses contain no subtitles. */
  readonly subtitles?: SubtitleIndex
}

/**
 * Yields the JSON of a folder (contract 3.1), one chunk or more for each page from the storage. The JSON text is
 * concatenated directly, because creating and serialising an object for each of 100,000 rows would take longer than
 * reading the disk.
 */
export async function* folderJsonChunks(content: FolderJsonContent): AsyncGenerator<string> {
  const { head, listing, sorting, subtitles } = content
  const write = itemWriter(content.folder)
  const pathCharacters = JSON.stringify(content.folder).length
  const rowsInChunk = Math.min(rowsPerChunk, Math.ceil(pathCharactersPerChunk / pathCharacters))
  let separator = '{"items":['
  const pages = subtitles === undefined ? listing.pages : delayedFromFirstFilm(listing.pages, subtitles)
  for await (const page of pages) {
    for (let from = 0; from < page.names.length; from += rowsInChunk) {
      const rows = { page, from, to: Math.min(page.names.length, from + rowsInChunk) }
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
 * Yields the pages in their original order. The page with the first film and all later pages are buffered until all
 * names of the folder are known, or until the buffer is full.
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

/** A range of rows in a page: from index `from` (inclusive) to index `to` (exclusive). */
type PageRowRange = { readonly page: EntryPage; readonly from: number; readonly to: number }

/** The paths of each film's subtitles, keyed by the film's row index. */
type SubtitlesByRow = ReadonlyMap<number, readonly Path[]>

const noSubtitles: SubtitlesByRow = new Map()

/** Returns the subtitles of the films in a range of rows. */
async function subtitlesOfRows(
  subtitles: SubtitleIndex,
  { page, from, to }: PageRowRange,
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
function itemWriter(folder: Path): (rows: PageRowRange, subtitlesByRow: SubtitlesByRow) => string {
  const pathPrefix = escapedText(folder === root ? '/' : `${folder}/`)
  const formatTime = createIsoFormatter()
  return ({ page, from, to }, subtitlesByRow) => {
    let text = ''
    for (let at = from; at < to; at += 1) {
      const name = escapedText(page.names[at] ?? '')
      const flags = page.flags[at] ?? 0
      const dot = name.lastIndexOf('.')
      if (at > from) text += ','
      text +=
        `{"path":"${pathPrefix}${name}","name":"${name}","size":${page.sizesBytes[at]},` +
        `"extension":"${dot < 0 ? '' : name.slice(dot)}","modified":"${formatTime(page.modifiedMs[at] ?? 0)}",` +
        `"mode":${wireMode(page.modes[at] ?? 0)},"isDir":${(flags & entryFlag.folder) !== 0},` +
        `"isSymlink":${(flags & entryFlag.link) !== 0},"type":"${fileTypes[page.types[at] ?? 0]}"${subtitlesText(subtitlesByRow.get(at))}}`
    }
    return text
  }
}

const subtitlesText = (paths: readonly Path[] | undefined): string =>
  paths === undefined ? '' : `,"subtitles":[${paths.map((path) => `"${escapedText(path)}"`).join(',')}]`
