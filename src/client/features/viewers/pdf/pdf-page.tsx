import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { useIsNear } from '../frame/use-is-near.ts'
import { type DrawnPage, drawPage } from './draw-page.ts'
import styles from './pdf.module.css'

/** The size of a page in points. */
export type PageSize = { readonly width: number; readonly height: number }

type PdfPageProps = {
  readonly pdf: PDFDocumentProxy
  readonly number: number
  /** The size of the first page, which most other pages have, too. */
  readonly expected: PageSize
  readonly scale: number
  readonly rotation: number
  readonly onJump: (target: unknown) => void
  /** Called with the pieces of the text after the page was drawn, and with null when it is no longer on screen. */
  readonly onDrawn: (number: number, pieces: readonly HTMLElement[] | null) => void
}

/** Shows a page. It is drawn when it comes near the visible area, and its drawing is released far from it. */
export function PdfPage({ pdf, number, expected, scale, rotation, onJump, onDrawn }: PdfPageProps) {
  const frame = useRef<HTMLElement>(null)
  const isNear = useIsNear(frame)
  const [size, setSize] = useState(expected)
  const jump = useEffectEvent(onJump)
  const noteDrawn = useEffectEvent(onDrawn)
  useEffect(() => {
    const element = frame.current
    if (!isNear || element === null) return undefined
    const abort = new AbortController()
    const show = ({ canvas, text, pieces, links }: DrawnPage): void => {
      canvas.className = styles.canvas ?? ''
      text.className = styles.text ?? ''
      links.className = styles.links ?? ''
      element.replaceChildren(canvas, text, links)
      noteDrawn(number, pieces)
    }
    const draw = async (): Promise<void> => {
      const page = await pdf.getPage(number)
      const { width, height } = page.getViewport({ scale: 1 })
      setSize({ width, height })
      show(
        await drawPage(page, {
          scale,
          rotation,
          signal: abort.signal,
          onJump: (target) => jump(target),
        }),
      )
    }
    // A page that cannot be drawn stays empty, and the other pages are shown.
    draw().catch(() => undefined)
    return () => {
      abort.abort()
      element.replaceChildren()
      noteDrawn(number, null)
    }
  }, [pdf, number, scale, rotation, isNear])
  const isLying = rotation % 180 !== 0
  return (
    <section
      ref={frame}
      className={styles.page}
      data-page={number}
      aria-label={t('viewer.page', { page: number })}
      style={{
        inlineSize: (isLying ? size.height : size.width) * scale,
        blockSize: (isLying ? size.width : size.height) * scale,
      }}
    />
  )
}
