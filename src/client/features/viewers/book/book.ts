import type { ViewedFile } from '../viewer.ts'
import { isRasterImage } from '../zip/raster-image.ts'
import { openZip, type ZipArchive } from '../zip/open-zip.ts'
import type { ZipEntry } from '../zip/zip-directory.ts'
import { ZipError } from '../zip/zip-error.ts'
import { resolveInBook } from './book-address.ts'
import { readContents, type ContentsLink } from './book-contents.ts'
import { decodeMarkup } from './decode-markup.ts'
import { createEntryFinder } from './find-entry.ts'
import { elementsNamed, parsePage, parseXml } from '../markup/parse-markup.ts'

/** The largest text of a book that is read, in bytes. Whole novels in one chapter have about 3 MB. */
export const maxBookTextBytes = 4 * 1024 * 1024

/** The largest number of chapters, and of lines of the table of contents. */
const maxChapters = 5000

/** A line of the table of contents. `depth` is 0 for the lines of the first level. */
export type ContentsItem = {
  readonly label: string
  readonly depth: number
  readonly chapter: number
  readonly fragment: string
}

/** The kinds of content of a chapter: a page, a drawing (SVG) or another image. `unknown` is a file in a format that no chapter has. */
type ChapterKind = 'page' | 'drawing' | 'image' | 'unknown'

/** A chapter: the path that the book gives to it, and its file, or null when the archive does not contain the file. */
export type BookChapterFile = {
  readonly path: string
  readonly entry: ZipEntry | null
  readonly kind: ChapterKind
}

/** An open book in the format EPUB. */
export type Book = {
  readonly archive: ZipArchive
  /** The chapters in the order of reading. */
  readonly chapters: readonly BookChapterFile[]
  readonly contents: readonly ContentsItem[]
  /** True when the chapters go from right to left. */
  readonly isRightToLeft: boolean
  readonly entryAt: (path: string) => ZipEntry | undefined
  /** Returns the index of a chapter, or -1 for a path that is not a chapter. */
  readonly chapterAt: (path: string) => number
}

/** Returns the index of the line of the table of contents to which a chapter belongs, or -1 before the first one. */
export function lineOfChapter(contents: readonly ContentsItem[], chapter: number): number {
  const own = contents.findIndex((item) => item.chapter === chapter)
  return own === -1 ? contents.findLastIndex((item) => item.chapter < chapter) : own
}

/** Thrown for a book whose chapters are encrypted, so that only the seller's program can show them. */
export class EncryptedBookError extends Error {}

/**
 * Opens a book. Its chapters are read later.
 * @throws EncryptedBookError, ZipError, CallError when the server refuses, and the reason of the signal.
 */
export async function openBook(
  file: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  signal: AbortSignal,
): Promise<Book> {
  const archive = await openZip(file, signal)
  const entryAt = createEntryFinder(archive.entries)
  const read = async (path: string): Promise<string | null> => {
    const entry = entryAt(path)
    return entry === undefined ? null : readBookText(archive, entry, signal)
  }
  if (isEncrypted(await read('META-INF/encryption.xml'))) throw new EncryptedBookError()
  const container = xmlOf(await read('META-INF/container.xml'))
  const packagePath = elementsNamed(container, 'rootfile')[0]?.getAttribute('full-path') ?? ''
  const { items, spine, contentsPath, isRightToLeft } = readPackage(
    xmlOf(await read(packagePath)),
    packagePath,
  )
  const chapters = chaptersOf(
    // A chapter that the list of files does not contain is named by its id.
    spine.map((id) => chapterItem(items, id) ?? { path: id, kind: 'page' }),
    entryAt,
  )
  if (chapters.every(({ entry }) => entry === null)) throw new ZipError('damaged')
  const chapterIndexes = new Map(chapters.map((chapter, index) => [nameOf(chapter), index]))
  const chapterAt = (path: string): number => chapterIndexes.get(entryAt(path)?.name ?? path) ?? -1
  const contents = contentsPath === null ? null : await read(contentsPath)
  return {
    archive,
    chapters,
    contents:
      contentsPath === null || contents === null
        ? []
        : itemsOf(readContents(parsePage(contents), maxChapters), contentsPath, chapterAt),
    isRightToLeft,
    entryAt,
    chapterAt,
  }
}

/**
 * Reads a text of a book.
 * @throws ZipError, CallError when the server refuses, and the reason of the signal.
 */
export const readBookText = async (
  archive: ZipArchive,
  entry: ZipEntry,
  signal: AbortSignal,
): Promise<string> => decodeMarkup(await archive.read(entry, { maxBytes: maxBookTextBytes, signal }))

/** Finds the files of the chapters. A chapter that the order of reading names twice is shown at its first place. */
function chaptersOf(items: readonly BookItem[], entryAt: Book['entryAt']): readonly BookChapterFile[] {
  const chapters = items.map(({ path, kind }) => ({ path, entry: entryAt(path) ?? null, kind }))
  const byName = new Map(chapters.toReversed().map((chapter) => [nameOf(chapter), chapter]))
  return chapters.filter((chapter) => byName.get(nameOf(chapter)) === chapter)
}

const nameOf = ({ path, entry }: BookChapterFile): string => entry?.name ?? path

/** The beginning of an entity that XML does not know. Programs write those of HTML into titles. */
const unknownEntity = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi

function xmlOf(text: string | null): Document {
  const parsed = text === null ? null : parseXml(text.trimStart().replaceAll(unknownEntity, '&amp;'))
  if (parsed === null) throw new ZipError('damaged')
  return parsed
}

/** The methods that only make embedded fonts unreadable. The text of such books is not encrypted. */
const fontMethods = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']

/** Returns true when the list of encrypted files names more than fonts. */
function isEncrypted(list: string | null): boolean {
  if (list === null) return false
  return elementsNamed(xmlOf(list), 'EncryptedData').some(
    (data) =>
      !fontMethods.includes(elementsNamed(data, 'EncryptionMethod')[0]?.getAttribute('Algorithm') ?? ''),
  )
}

/** A file in the list of the book's files that can be a chapter. */
type BookItem = Pick<BookChapterFile, 'path' | 'kind'>

/** A file of the list, and the id of the file that stands in for it where its format cannot be shown. */
type ListedItem = BookItem & { readonly fallback: string | null }

/** The largest number of files that stand in for each other. */
const maxFallbacks = 5

/** Returns the file with an id or, where its format cannot be shown, the first one in its place that can. */
function chapterItem(items: ReadonlyMap<string, ListedItem>, id: string): BookItem | undefined {
  const own = items.get(id)
  let item = own
  for (let count = 0; item?.kind === 'unknown' && count < maxFallbacks; count += 1)
    item = item.fallback === null ? undefined : items.get(item.fallback)
  return item ?? own
}

/** Returns how a file is shown, by its media type and, where the book names another one, by its extension. */
function kindOf(mediaType: string, path: string): ChapterKind {
  if (/svg/.test(mediaType)) return 'drawing'
  if (/html|oeb1/.test(mediaType)) return 'page'
  if (isRasterImage(path)) return 'image'
  if (/\.svg$/i.test(path)) return 'drawing'
  return /\.(x?html?|xml)$/i.test(path) ? 'page' : 'unknown'
}

/** Reads the list of the book's files, by id, and the order of its chapters. */
function readPackage(parsed: Document, packagePath: string) {
  const items = new Map<string, ListedItem>()
  let contentsPath: string | null = null
  const spine = elementsNamed(parsed, 'spine')[0]
  for (const item of elementsNamed(parsed, 'item')) {
    const id = item.getAttribute('id') ?? ''
    const path = resolveInBook(packagePath, item.getAttribute('href') ?? '')?.path
    if (path === undefined) continue
    const isContents = /(^|\s)nav(\s|$)/.test(item.getAttribute('properties') ?? '')
    if (isContents || (contentsPath === null && id === spine?.getAttribute('toc'))) contentsPath = path
    const mediaType = item.getAttribute('media-type') ?? ''
    items.set(id, { path, kind: kindOf(mediaType, path), fallback: item.getAttribute('fallback') })
  }
  const order = spine === undefined ? [] : elementsNamed(spine, 'itemref')
  return {
    items,
    spine: order.slice(0, maxChapters).map((reference) => reference.getAttribute('idref') ?? ''),
    contentsPath,
    isRightToLeft: spine?.getAttribute('page-progression-direction') === 'rtl',
  }
}

function itemsOf(
  links: readonly ContentsLink[],
  contentsPath: string,
  chapterAt: Book['chapterAt'],
): readonly ContentsItem[] {
  return links.flatMap(({ label, depth, address }) => {
    const target = resolveInBook(contentsPath, address)
    const chapter = target === null ? -1 : chapterAt(target.path)
    return target === null || chapter === -1 ? [] : [{ label, depth, chapter, fragment: target.fragment }]
  })
}
