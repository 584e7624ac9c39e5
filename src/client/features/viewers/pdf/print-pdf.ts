import type { PDFDocumentProxy } from 'pdfjs-dist'
import './print.css'

/** The resolution of a printed page, in pixels for a point: 150 for an inch. */
const printScale = 150 / 72
/** The largest drawing of a printed page, in pixels. */
const maxPixels = 16_000_000

export type PrintOptions = {
  readonly signal: AbortSignal
  /** Called before each page is drawn, with its number. */
  readonly onPage: (number: number) => void
}

/**
 * Draws all pages and opens the print dialog of the browser. The pages are images of their own, because the pages on screen
 * are drawn only near the visible area. They are removed when the dialog is closed.
 * @throws the reason of the signal, and what the library throws for a damaged page.
 */
export async function printPdf(pdf: PDFDocumentProxy, { signal, onPage }: PrintOptions): Promise<void> {
  const pages = document.createElement('div')
  pages.className = 'printed-pages'
  const urls: string[] = []
  try {
    for (let number = 1; number <= pdf.numPages; number += 1) {
      onPage(number)
      const url = await imageOf(pdf, number)
      urls.push(url)
      signal.throwIfAborted()
      const image = new Image()
      image.src = url
      image.alt = ''
      await image.decode()
      pages.append(image)
    }
    document.body.append(pages)
    document.documentElement.dataset['printing'] = ''
    window.print()
  } finally {
    delete document.documentElement.dataset['printing']
    pages.remove()
    for (const url of urls) URL.revokeObjectURL(url)
  }
}

/** Draws a page, and returns the URL of the image. */
async function imageOf(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(printScale, Math.sqrt(maxPixels / (width * height)))
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  await page.render({ canvas, viewport, intent: 'print' }).promise
  page.cleanup()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  // Browsers keep the memory of a canvas until it is small.
  canvas.width = 0
  if (blob === null) throw new Error('The page is too large.')
  return URL.createObjectURL(blob)
}
