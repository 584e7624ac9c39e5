import purifier from 'dompurify'
import { ZipError } from '../zip/zip-error.ts'
import { type CleanChapter, cleanChapter } from './clean-chapter.ts'
import { elementsNamed, parsePage } from '../markup/parse-markup.ts'

/**
 * Makes a chapter of an SVG document. It is shown as an image, in which browsers run and load nothing, and scripts are
 * removed before, because they would run when the user opens the image in a tab of its own. A drawing around an image of
 * the book, such as the scan of a page, is replaced by that image, as in other chapters.
 * @throws ZipError when the text is no drawing, or would keep the browser busy for seconds.
 */
export function cleanDrawing(text: string, path: string): CleanChapter {
  const parsed = parsePage(text)
  if (elementsNamed(parsed, 'image').length > 0) return cleanChapter(text, path)
  const source = parsed.documentElement
  const cleaned = purifier.sanitize(new XMLSerializer().serializeToString(source), {
    USE_PROFILES: { svg: true, svgFilters: true },
    RETURN_DOM_FRAGMENT: true,
  })
  const drawing = cleaned.querySelector('svg')
  if (drawing === null) throw new ZipError('damaged')
  const article = document.createElement('article')
  const image = document.createElement('img')
  image.alt = elementsNamed(parsed, 'title')[0]?.textContent?.trim() ?? ''
  // Without a size of its own, a drawing fills the width of the text.
  if (!drawing.hasAttribute('width')) image.width = drawingWidthPx
  article.append(image)
  const blob = new Blob([new XMLSerializer().serializeToString(drawing)], { type: 'image/svg+xml' })
  return { article, images: new Map([[image, blob]]), links: new Map(), styles: [] }
}

/** The width of a drawing without a size of its own, in CSS pixels. The column of the text, 38em, is narrower. */
const drawingWidthPx = 1000
