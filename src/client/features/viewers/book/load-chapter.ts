import { isRasterImage, readRasterImage } from '../zip/raster-image.ts'
import { ZipError } from '../zip/zip-error.ts'
import { type Book, type BookChapterFile, readBookText } from './book.ts'
import { type ChapterStyle, type CleanChapter, cleanChapter } from './clean-chapter.ts'
import { cleanDrawing } from './clean-drawing.ts'
import { limitStyles } from './limit-styles.ts'

/** The largest number of style sheets of a chapter, and the largest of them, in bytes. */
const maxSheets = 8
const maxSheetBytes = 256 * 1024

export type LoadedChapter = Pick<CleanChapter, 'article' | 'links'> & {
  readonly styles: string
  /** Loads each image when it comes near the visible area. Returns a function that releases them. */
  readonly showImages: () => () => void
}

/**
 * Loads a chapter of a book.
 * @throws ZipError, CallError when the server refuses, and the reason of the signal.
 */
export async function loadChapter(
  book: Book,
  { entry, kind }: BookChapterFile,
  signal: AbortSignal,
): Promise<LoadedChapter> {
  if (entry === null || kind === 'unknown') throw new ZipError('damaged')
  const clean = kind === 'drawing' ? cleanDrawing : cleanChapter
  const { article, images, links, styles } =
    kind === 'image'
      ? imageChapter(entry.name)
      : clean(await readBookText(book.archive, entry, signal), entry.name)
  const sheets = await Promise.all(styles.slice(0, maxSheets).map((style) => readSheet(book, style, signal)))
  return {
    article,
    links,
    styles: sheets.map(limitStyles).join('\n'),
    showImages: () => showNearImages(book, images),
  }
}

/** Makes a chapter of an image, such as the page of a comic. */
function imageChapter(path: string): CleanChapter {
  const article = document.createElement('article')
  const image = document.createElement('img')
  article.append(image)
  return { article, images: new Map([[image, path]]), links: new Map(), styles: [] }
}

/** Reads a style sheet. A chapter without one of its sheets can still be read. */
async function readSheet(
  { archive, entryAt }: Book,
  style: ChapterStyle,
  signal: AbortSignal,
): Promise<string> {
  if ('text' in style) return style.text.slice(0, maxSheetBytes)
  const entry = entryAt(style.path)
  if (entry === undefined || entry.sizeBytes > maxSheetBytes) return ''
  return readBookText(archive, entry, signal).catch(() => '')
}

function showNearImages({ archive, entryAt }: Book, images: CleanChapter['images']): () => void {
  const abort = new AbortController()
  const urls: string[] = []
  const show = async (image: HTMLImageElement): Promise<void> => {
    const source = images.get(image) ?? ''
    const entry = source instanceof Blob ? undefined : entryAt(source)
    const isReadable = entry !== undefined && isRasterImage(entry.name)
    const blob = isReadable ? await readRasterImage(archive, entry, abort.signal) : source
    abort.signal.throwIfAborted()
    if (!(blob instanceof Blob)) return
    const url = URL.createObjectURL(blob)
    urls.push(url)
    image.src = url
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue
        observer.unobserve(target)
        // The description of an image that cannot be shown is in its place.
        show(target as HTMLImageElement).catch(() => undefined)
      }
    },
    { rootMargin: '100% 0px', scrollMargin: '100% 0px' },
  )
  for (const image of images.keys()) observer.observe(image)
  return () => {
    observer.disconnect()
    abort.abort()
    for (const url of urls) URL.revokeObjectURL(url)
  }
}
