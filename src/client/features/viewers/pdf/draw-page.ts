import { TextLayer, type PDFPageProxy } from 'pdfjs-dist'
import { config } from '../../../api/config.ts'

/** The largest drawing of a page, in pixels. Larger ones are drawn smaller and enlarged by the browser. */
const maxPixels = 16_000_000

export type DrawnPage = {
  readonly canvas: HTMLCanvasElement
  /** Contains the text of the page at its places, transparent, so that it can be selected. */
  readonly text: HTMLElement
  /** The elements with the pieces of the text, in their order. */
  readonly pieces: readonly HTMLElement[]
  readonly links: HTMLElement
}

type DrawOptions = {
  /** The number of CSS pixels of a point. */
  readonly scale: number
  readonly rotation: number
  readonly signal: AbortSignal
  readonly onJump: (target: unknown) => void
}

/**
 * Draws a page, its text and its links.
 * @throws the reason of the signal, and what the library throws for a damaged page.
 */
export async function drawPage(
  page: PDFPageProxy,
  { scale, rotation, signal, onJump }: DrawOptions,
): Promise<DrawnPage> {
  const viewport = page.getViewport({ scale, rotation: (page.rotate + rotation) % 360 })
  const density = Math.min(devicePixelRatio, Math.sqrt(maxPixels / (viewport.width * viewport.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width * density)
  canvas.height = Math.floor(viewport.height * density)
  const drawing = page.render({
    canvas,
    viewport,
    ...(density !== 1 && { transform: [density, 0, 0, density, 0, 0] }),
  })
  signal.addEventListener('abort', () => drawing.cancel())
  // A drawing that is cancelled before it is awaited below must not count as an unhandled error of the page.
  drawing.promise.catch(() => undefined)
  const text = document.createElement('div')
  text.style.setProperty('--total-scale-factor', String(scale))
  const layer = new TextLayer({ textContentSource: await page.getTextContent(), container: text, viewport })
  await Promise.all([drawing.promise, layer.render()])
  const links = document.createElement('div')
  const annotations = await page.getAnnotations({ intent: 'display' })
  for (const annotation of annotations) {
    const link = linkOf(annotation as LinkAnnotation, onJump)
    if (link === null) continue
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (annotation as LinkAnnotation).rect
    const [left = 0, top = 0] = viewport.convertToViewportPoint(x1, y1) as number[]
    const [right = 0, bottom = 0] = viewport.convertToViewportPoint(x2, y2) as number[]
    Object.assign(link.style, {
      left: `${Math.min(left, right)}px`,
      top: `${Math.min(top, bottom)}px`,
      width: `${Math.abs(right - left)}px`,
      height: `${Math.abs(bottom - top)}px`,
    })
    links.append(link)
  }
  signal.throwIfAborted()
  return { canvas, text, pieces: layer.textDivs, links }
}

type LinkAnnotation = {
  readonly subtype: string
  readonly rect: number[]
  readonly url?: string
  readonly dest?: unknown
}

/** Returns the element for a link: to a place in the document, or to a web page where external links are allowed. */
function linkOf(
  { subtype, url, dest }: LinkAnnotation,
  onJump: (target: unknown) => void,
): HTMLElement | null {
  if (subtype !== 'Link') return null
  const link = document.createElement('a')
  if (dest) {
    link.href = '#'
    link.addEventListener('click', (event) => {
      event.preventDefault()
      onJump(dest)
    })
    return link
  }
  if (url === undefined || !/^(https?|mailto):/i.test(url) || config().DisableExternal) return null
  link.href = url
  link.title = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  return link
}
