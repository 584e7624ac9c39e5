import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useState } from 'react'
import { EllipsisVertical, Printer, RotateCw, Rows3, Scan, ZoomIn, ZoomOut } from 'lucide'
import { formatNumber, formatPercent, parseCount } from '../../../i18n/later-formats.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { PdfSearchButton, PdfSearchField } from './pdf-search-field.tsx'
import type { PdfPanelState } from './use-pdf-panel.ts'
import type { PdfSearch } from './use-pdf-search.ts'
import { usePrinting } from './use-printing.ts'
import styles from './pdf.module.css'

type PdfToolbarProps = {
  readonly name: string
  readonly pdf: PDFDocumentProxy
  /** The number of the visible page. */
  readonly page: number
  /** The size of the pages, where 1 is their size on paper at 96 pixels per inch. */
  readonly scale: number
  readonly panel: PdfPanelState
  readonly search: PdfSearch
  readonly onGo: (page: number) => void
  readonly onZoomStep: (by: 1 | -1) => void
  readonly onFit: () => void
  readonly onRotate: () => void
  /** Gives the focus to the pages, when the search that had it was closed. */
  readonly onLeave: () => void
}

/**
 * Renders the tools of a PDF in one row. On phones the rarer tools are in a menu, and the search takes the place of the
 * other tools while it is open.
 */
export function PdfToolbar({ name, pdf, page, scale, panel, search, ...actions }: PdfToolbarProps) {
  const isNarrow = useMedia(mobileQuery)
  const [isSearchOpen, setSearchOpen] = useState(false)
  const printing = usePrinting(name, pdf)
  const bar = { className: styles.bar, role: 'toolbar', 'aria-label': t('viewer.document') } as const
  if (isNarrow && isSearchOpen)
    return (
      <div {...bar}>
        <PdfSearchField
          search={search}
          onClose={() => {
            search.setQuery('')
            setSearchOpen(false)
            actions.onLeave()
          }}
        />
      </div>
    )
  return (
    <div {...bar}>
      {panel.isUseful && (
        <IconButton
          icon={Rows3}
          label={t('viewer.pdf.panel')}
          aria-expanded={panel.view !== null}
          onClick={panel.toggle}
        />
      )}
      <PageField key={page} page={page} count={pdf.numPages} onGo={actions.onGo} />
      <IconButton
        icon={ZoomOut}
        label={t('viewer.zoomOut')}
        hint="−"
        onClick={() => actions.onZoomStep(-1)}
      />
      {!isNarrow && <output className={styles.count}>{formatPercent(Math.round(scale * 100) / 100)}</output>}
      <IconButton icon={ZoomIn} label={t('viewer.zoomIn')} hint="+" onClick={() => actions.onZoomStep(1)} />
      {isNarrow ? (
        <>
          <PdfSearchButton onOpen={() => setSearchOpen(true)} />
          <MenuButton
            icon={EllipsisVertical}
            label={t('buttons.more')}
            entries={[
              { id: 'fit', label: t('viewer.fit'), icon: Scan, run: actions.onFit },
              { id: 'rotate', label: t('viewer.rotate'), icon: RotateCw, run: actions.onRotate },
              {
                id: 'print',
                label: t('viewer.print'),
                icon: Printer,
                isDisabled: printing.isBusy,
                run: printing.print,
              },
            ]}
          />
        </>
      ) : (
        <>
          <IconButton icon={Scan} label={t('viewer.fit')} hint="0" onClick={actions.onFit} />
          <IconButton icon={RotateCw} label={t('viewer.rotate')} onClick={actions.onRotate} />
          <IconButton
            icon={Printer}
            label={t('viewer.print')}
            isBusy={printing.isBusy}
            onClick={printing.print}
          />
          <PdfSearchField search={search} />
        </>
      )}
    </div>
  )
}

type PageFieldProps = {
  readonly page: number
  readonly count: number
  readonly onGo: (page: number) => void
}

/** Shows the number of the visible page. Enter goes to the page whose number was typed. */
const PageField = ({ page, count, onGo }: PageFieldProps) => (
  <form
    className={styles.place}
    onSubmit={(event) => {
      event.preventDefault()
      const field = new FormData(event.currentTarget).get('page')
      const typed = typeof field === 'string' ? parseCount(field) : null
      if (typed !== null) onGo(Math.min(count, Math.max(1, typed)))
    }}
  >
    <span className={styles.count}>
      <RichText
        id="viewer.pageOf"
        values={{
          page: (
            <input
              className={styles.number}
              name="page"
              inputMode="numeric"
              autoComplete="off"
              aria-label={t('viewer.pageNumber')}
              defaultValue={formatNumber(page, 0)}
            />
          ),
          total: count,
        }}
      />
    </span>
  </form>
)
