import { fileTypes } from '../../shared/domain/file-kind.ts'
import { wireMode } from '../../shared/domain/entry.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { ResourceItem } from '../../shared/contract/resources.ts'
import type { Sorting } from '../../shared/domain/sorting.ts'
import { flag, type EntryPage, type Listing } from '../storage/port.ts'
import { createIsoWriter, escapedText } from './json-text.ts'
import { filmType, type SubtitleShelf } from './subtitles-beside.ts'

/** How many rows become one piece of text: enough to be fast, small enough that memory stays flat. */
const rowsAPiece = 2048

/** Subtitles may stand anywhere in a folder: its rows wait for the last of them, from the first film on. More rows do not wait. */
const mostWaitingRows = 100_000

export type FolderAnswer = {
  readonly head: ResourceItem
  readonly listing: Listing
  readonly folder: Path
  readonly sorting: Sorting
  /** Where films have their subtitles told; guests are not told of them. */
  readonly subtitles?: SubtitleShelf
}

/**
 * A folder as the JSON of contract 3.1, written page by page as the storage gives it. The text is put together by hand: an object
 * and a serialiser's visit for each of 100,000 rows would cost more than reading the disk.
 */
export async function* folderPieces(answer: FolderAnswer): AsyncGenerator<string> {
  const { head, listing, sorting, subtitles } = answer
  const write = itemWriter(answer.folder)
  let opening = '{"items":['
  const pages = subtitles === undefined ? listing.pages : withFilmsLast(listing.pages, subtitles)
  for await (const page of pages) {
    for (let from = 0; from < page.names.length; from += rowsAPiece) {
      const rows = { page, from, to: Math.min(page.names.length, from + rowsAPiece) }
      const text = write(rows, subtitles === undefined ? noFilms : await filmsOf(subtitles, rows))
      yield opening + text
      opening = ','
    }
  }
  const counts = { numDirs: listing.folders, numFiles: listing.total - listing.folders, sorting }
  const start = opening === ',' ? '' : opening
  yield `${start}],${JSON.stringify({ ...counts, ...head }).slice(1)}`
}

/** The same pages in their order; those from the first film on when all names of the folder are known. */
async function* withFilmsLast(
  pages: AsyncIterable<EntryPage>,
  subtitles: SubtitleShelf,
): AsyncGenerator<EntryPage> {
  const waiting: EntryPage[] = []
  let waitingRows = 0
  for await (const page of pages) {
    subtitles.put(page)
    if (waiting.length === 0 && !page.types.includes(filmType)) yield page
    else {
      waiting.push(page)
      waitingRows += page.names.length
    }
    if (waitingRows <= mostWaitingRows) continue
    yield* waiting.splice(0)
    waitingRows = 0
  }
  yield* waiting
}

type Rows = { readonly page: EntryPage; readonly from: number; readonly to: number }

/** Paths of subtitles by the row of their film. */
type Films = ReadonlyMap<number, readonly Path[]>

const noFilms: Films = new Map()

async function filmsOf(subtitles: SubtitleShelf, { page, from, to }: Rows): Promise<Films> {
  if (!page.types.includes(filmType)) return noFilms
  const films = new Map<number, readonly Path[]>()
  for (let at = from; at < to; at += 1) {
    if (page.types[at] !== filmType) continue
    const found = await subtitles.of(page.names[at] ?? '')
    if (found.length > 0) films.set(at, found)
  }
  return films
}

function itemWriter(folder: Path): (rows: Rows, films: Films) => string {
  const above = escapedText(folder === root ? '/' : `${folder}/`)
  const iso = createIsoWriter()
  return ({ page, from, to }, films) => {
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
        `"isSymlink":${(flags & flag.link) !== 0},"type":"${fileTypes[page.types[at] ?? 0]}"${subtitlesText(films.get(at))}}`
    }
    return text
  }
}

const subtitlesText = (paths: readonly Path[] | undefined): string =>
  paths === undefined ? '' : `,"subtitles":[${paths.map((path) => `"${escapedText(path)}"`).join(',')}]`
