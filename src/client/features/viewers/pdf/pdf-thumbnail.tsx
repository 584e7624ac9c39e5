import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../../../i18n/locale.ts'
import { t } from '../../../i18n/translate.ts'
import { useIsNear } from '../frame/use-is-near.ts'
import type { PageSize } from './pdf-page.tsx'
import styles from './pdf-panel.module.css'

/** The width and the largest height of a small picture, in CSS pixels. */
const widthPx = 112
const maxHeightPx = 224
/** A picture has at most this many pixels for each CSS pixel, because more are not visible at this size. */
const maxDensity = 2

type PdfThumbnailProps = {
  readonly pdf: PDFDocumentProxy
  readonly number: number
  /** The size of the first page, which most other pages have, too. */
  readonly expected: PageSize
  readonly isCurrent: boolean
  readonly onGo: (page: number) => void
}

/** Renders a small picture of a page. It is drawn when it comes near the visible area, and released far from it. */
export function PdfThumbnail({ pdf, number, expected, isCurrent, onGo }: PdfThumbnailProps) {
  const frame = useRef<HTMLSpanElement>(null)
  const isNear = useIsNear(frame)
  const [size, setSize] = useState(expected)
  useEffect(() => {
    const element = frame.current
    if (!isNear || element === null) return undefined
    const abort = new AbortController()
    const draw = async (): Promise<void> => {
      const { canvas, size: real } = await drawThumbnail(pdf, number, abort.signal)
      setSize(real)
      element.replaceChildren(canvas)
    }
    // The frame of a page that cannot be drawn stays empty, and its number leads to it.
    draw().catch(() => undefined)
    return () => {
      abort.abort()
      element.replaceChildren()
    }
  }, [pdf, number, isNear])
  return (
    <button
      type="button"
      className={styles.thumbnail}
      data-thumbnail={number}
      aria-label={t('viewer.page', { page: number })}
      aria-current={isCurrent ? 'page' : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onClick={() => onGo(number)}
    >
      <span ref={frame} className={styles.picture} style={pictureSize(size)} />
      <span className={styles.pageNumber}>{formatCount(number)}</span>
    </button>
  )
}

const scaleOf = ({ width, height }: PageSize): number => Math.min(widthPx / width, maxHeightPx / height)

function pictureSize(size: PageSize): { inlineSize: number; blockSize: number } {
  const scale = scaleOf(size)
  return { inlineSize: Math.round(size.width * scale), blockSize: Math.round(size.height * scale) }
}

/** @throws the reason of the signal, and what the library throws for a damaged page. */
async function drawThumbnail(
  pdf: PDFDocumentProxy,
  number: number,
  signal: AbortSignal,
): Promise<{ readonly canvas: HTMLCanvasElement; readonly size: PageSize }> {
  const page = await pdf.getPage(number)
  signal.throwIfAborted()
  const { width, height } = page.getViewport({ scale: 1 })
  const density = Math.min(devicePixelRatio, maxDensity)
  const viewport = page.getViewport({ scale: scaleOf({ width, height }) * density })
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(viewport.width))
  canvas.height = Math.max(1, Math.round(viewport.height))
  const drawing = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => drawing.cancel())
  await drawing.promise
  signal.throwIfAborted()
  return { canvas, size: { width, height } }
}
