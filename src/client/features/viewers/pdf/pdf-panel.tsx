import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef } from 'react'
import { t } from '../../../i18n/translate.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { ContentsList } from '../frame/contents-list.tsx'
import { moveFocusInList, SidePanel } from '../frame/side-panel.tsx'
import type { OutlineLine } from './pdf-outline.ts'
import type { PageSize } from './pdf-page.tsx'
import type { PdfPanelView } from './pdf-panel-choice.ts'
import { PdfThumbnail } from './pdf-thumbnail.tsx'
import styles from './pdf-panel.module.css'

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
  return (
    <SidePanel
      label={t('viewer.pdf.panel')}
      part="pdf-panel"
      width={shown === 'pages' ? 'narrow' : 'wide'}
      onClose={onClose}
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
    </SidePanel>
  )
}

type ThumbnailsProps = Pick<PdfPanelProps, 'pdf' | 'expected' | 'page' | 'onGo'>

function Thumbnails({ pdf, expected, page, onGo }: ThumbnailsProps) {
  const area = useRef<HTMLElement>(null)
  useEffect(() => {
    area.current?.querySelector(`[data-thumbnail="${page}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [page])
  const keys = { onKeyDown: moveFocusInList }
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

const Outline = ({ outline, onJump }: Pick<PdfPanelProps, 'outline' | 'onJump'>) => (
  <ContentsList
    lines={outline.map(({ label, depth, target }) => ({
      label,
      depth,
      onGo: target === null ? null : () => onJump(target),
    }))}
  />
)
