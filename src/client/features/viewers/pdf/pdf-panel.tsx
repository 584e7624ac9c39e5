import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { t } from '../../../i18n/translate.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import type { OutlineLine } from './pdf-outline.ts'
import type { PageSize } from './pdf-page.tsx'
import type { PdfPanelView } from './pdf-panel-choice.ts'
import { PdfThumbnail } from './pdf-thumbnail.tsx'
import styles from './pdf-panel.module.css'

/** The largest depth that is shown by indentation. */
const maxDepth = 5

type PdfPanelProps = {
  readonly pdf: PDFDocumentProxy
  readonly view: PdfPanelView
  readonly outline: readonly OutlineLine[]
  readonly expected: PageSize
  /** The number of the visible page. */
  readonly page: number
  readonly onView: (view: PdfPanelView) => void
  readonly onGo: (page: number) => void
  readonly onJump: (target: unknown) => void
  readonly onClose: () => void
}

/** Renders the panel beside the pages: small pictures of them, and the table of contents where the document has one. */
export function PdfPanel({ view, onView, onClose, ...content }: PdfPanelProps) {
  const hasOutline = content.outline.length > 0
  const shown = hasOutline ? view : 'pages'
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  const keys = { onKeyDown }
  return (
    <aside
      {...keys}
      className={styles.panel}
      aria-label={t('viewer.pdf.panel')}
      data-part="pdf-panel"
      data-side-panel={shown === 'pages' ? 'narrow' : 'wide'}
    >
      {hasOutline && (
        <div className={styles.views}>
          {(['pages', 'contents'] as const).map((choice) => (
            <button
              key={choice}
              type="button"
              className={styles.view}
              aria-pressed={choice === shown}
              onClick={() => onView(choice)}
            >
              {t(`viewer.pdf.${choice}`)}
            </button>
          ))}
        </div>
      )}
      {shown === 'pages' ? <Thumbnails {...content} /> : <Outline {...content} />}
    </aside>
  )
}

type ThumbnailsProps = Pick<PdfPanelProps, 'pdf' | 'expected' | 'page' | 'onGo'>

function Thumbnails({ pdf, expected, page, onGo }: ThumbnailsProps) {
  const area = useRef<HTMLElement>(null)
  useEffect(() => {
    area.current?.querySelector(`[data-thumbnail="${page}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [page])
  const keys = { onKeyDown: moveFocus }
  return (
    <ScrollArea ref={area} className={styles.scroller} label={t('viewer.pdf.pages')}>
      <ol {...keys} className={styles.thumbnails}>
        {Array.from({ length: pdf.numPages }, (_, index) => (
          <li key={index}>
            <PdfThumbnail
              pdf={pdf}
              number={index + 1}
              expected={expected}
              isCurrent={index + 1 === page}
              onGo={onGo}
            />
          </li>
        ))}
      </ol>
    </ScrollArea>
  )
}

const Outline = ({ outline, onJump }: Pick<PdfPanelProps, 'outline' | 'onJump'>) => {
  const keys = { onKeyDown: moveFocus }
  return (
    <ScrollArea className={styles.scroller} label={t('viewer.contents')}>
      <ol {...keys} className={styles.lines}>
        {outline.map(({ label, depth, target }, index) => (
          <li key={index}>
            <button
              type="button"
              className={styles.line}
              style={{ paddingInlineStart: `${0.75 + Math.min(depth, maxDepth) * 0.875}rem` }}
              disabled={target === null}
              dir="auto"
              onClick={() => onJump(target)}
            >
              {label}
            </button>
          </li>
        ))}
      </ol>
    </ScrollArea>
  )
}

/** Moves the focus to another button of a list with the arrow keys, Home and End. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.findIndex((button) => button === event.target)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
  if (next === undefined || at === -1) return
  event.preventDefault()
  event.stopPropagation()
  buttons[next]?.focus()
}
