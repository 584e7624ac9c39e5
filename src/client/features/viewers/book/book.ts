import { decodeText } from '../text/text-format.ts'
import type { ViewedFile } from '../viewer.ts'
import { openZip, type ZipArchive } from '../zip/open-zip.ts'
import type { ZipEntry } from '../zip/zip-directory.ts'
import { ZipError } from '../zip/zip-error.ts'
import { resolveInBook } from './book-address.ts'
import { readContents, type ContentsLink } from './book-contents.ts'
import { elementsNamed, parsePage, parseXml } from './parse-markup.ts'

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

/** An open book in the format EPUB. */
export type Book = {
  readonly archive: ZipArchive
  /** The files with the chapters, in the order of reading. */
  readonly chapters: readonly ZipEntry[]
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
  const entries = new Map(archive.entries.map((entry) => [entry.name, entry]))
  const read = async (path: string): Promise<string | null> => {
    const entry = entries.get(path)
    return entry === undefined ? null : readBookText(archive, entry, signal)
  }
  if (isEncrypted(await read('META-INF/encryption.xml'))) throw new EncryptedBookError()
  const container = xmlOf(await read('META-INF/container.xml'))
  const packagePath = elementsNamed(container, 'rootfile')[0]?.getAttribute('full-path') ?? ''
  const { items, spine, contentsPath, isRightToLeft } = readPackage(
    xmlOf(await read(packagePath)),
    packagePath,
  )
  const chapters = [...new Set(spine.flatMap((id) => entries.get(items.get(id) ?? '') ?? []))]
  if (chapters.length === 0) throw new ZipError('damaged')
  const chapterIndexes = new Map(chapters.map(({ name }, index) => [name, index]))
  const chapterAt = (path: string): number => chapterIndexes.get(path) ?? -1
  const contents = contentsPath === null ? null : await read(contentsPath)
  return {
    archive,
    chapters,
    contents:
      contentsPath === null || contents === null
        ? []
        : itemsOf(readContents(parsePage(contents), maxChapters), contentsPath, chapterAt),
    isRightToLeft,
    entryAt: (path) => entries.get(path),
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
): Promise<string> => decodeText(await archive.read(entry, { maxBytes: maxBookTextBytes, signal })).text

function xmlOf(text: string | null): Document {
  const parsed = text === null ? null : parseXml(text)
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

/** Reads the list of the book's files, by id, and the order of its chapters. */
function readPackage(parsed: Document, packagePath: string) {
  const items = new Map<string, string>()
  let contentsPath: string | null = null
  const spine = elementsNamed(parsed, 'spine')[0]
  for (const item of elementsNamed(parsed, 'item')) {
    const id = item.getAttribute('id') ?? ''
    const path = resolveInBook(packagePath, item.getAttribute('href') ?? '')?.path
    if (path === undefined) continue
    const isContents = /(^|\s)nav(\s|$)/.test(item.getAttribute('properties') ?? '')
    if (isContents || (contentsPath === null && id === spine?.getAttribute('toc'))) contentsPath = path
    if (/html/.test(item.getAttribute('media-type') ?? '')) items.set(id, path)
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
