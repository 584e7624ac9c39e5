import { useEffect, useRef, useState } from 'react'
import { Printer, RotateCw, Rows3 } from 'lucide'
import { formatPercent } from '../../../i18n/later-formats.ts'
import { t } from '../../../i18n/translate.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { PageField } from '../frame/page-field.tsx'
import { useSearchTool } from '../frame/search-tool.tsx'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { PdfPage } from './pdf-page.tsx'
import { PdfPanel } from './pdf-panel.tsx'
import type { LoadedPdf } from './use-pdf.ts'
import { usePdfPanel } from './use-pdf-panel.ts'
import { usePdfSearch } from './use-pdf-search.ts'
import { usePrinting } from './use-printing.ts'
import styles from './pdf.module.css'

/** The steps of the zoom, relative to the size that fits the window. */
const zoomSteps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const

/** The largest scale of a page that fits the window, in CSS pixels for a point. */
const maxFittedScale = 1.6

/** The number of CSS pixels of a point, because an inch has 96 CSS pixels and 72 points. */
const pixelsPerPoint = 96 / 72

type PdfPagesProps = {
  readonly name: string
  readonly loaded: LoadedPdf
  /** True in the quick look, which has no tools, and whose keys belong to the listing. */
  readonly isQuick: boolean
}

/** Shows the pages of a PDF below each other, with tools for the page, the zoom, the rotation and the search. */
export function PdfPages({ name, loaded: { pdf, firstPage }, isQuick }: PdfPagesProps) {
  const area = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  const [rotation, setRotation] = useState(0)
  const widthPx = useWidthOf(area)
  const pageWidth = rotation % 180 === 0 ? firstPage.width : firstPage.height
  const scale = zoom * Math.min(maxFittedScale, Math.max(0.1, (widthPx - 32) / pageWidth))
  const page = useVisiblePage(area)
  const goToPage = (number: number): void =>
    area.current?.querySelector(`[data-page="${number}"]`)?.scrollIntoView({ block: 'start' })
  const search = usePdfSearch(pdf, goToPage)
  const panel = usePdfPanel(pdf)
  const step = (by: 1 | -1): void =>
    setZoom(
      (before) =>
        (by === 1 ? zoomSteps.find((to) => to > before) : zoomSteps.findLast((to) => to < before)) ?? before,
    )
  const jump = async (target: unknown): Promise<void> => {
    const number = await pageOfTarget(pdf, target)
    if (number !== null) goToPage(number)
  }
  const closeCoveringPanel = (): void => {
    if (panel.isCovering) panel.setView(null)
  }
  const focusPages = (): void => area.current?.focus({ preventScroll: true })
  const printing = usePrinting(name, pdf)
  const searchTool = useSearchTool(search, focusPages)
  useEffect(() => {
    if (!isQuick) area.current?.focus({ preventScroll: true })
  }, [isQuick])
  return (
    <ViewerFrame
      part="pdf"
      look="document"
      ground="sunken"
      fillsWidth="narrow"
      toolbar={
        !isQuick && {
          label: t('viewer.document'),
          tools: [
            panel.isUseful && {
              icon: Rows3,
              label: t('viewer.pdf.panel'),
              isExpanded: panel.view !== null,
              run: panel.toggle,
            },
            { kind: 'slot', content: <PageField position={page} total={pdf.numPages} onGo={goToPage} /> },
            {
              kind: 'zoom',
              onStep: step,
              scale: formatPercent(Math.round((scale / pixelsPerPoint) * 100) / 100),
              isScaleRare: true,
              hasKeys: true,
            },
            { kind: 'fit', hasKeys: true, isRare: true, run: () => setZoom(1) },
            {
              icon: RotateCw,
              label: t('viewer.rotate'),
              isRare: true,
              run: () => setRotation((rotation + 90) % 360),
            },
            {
              icon: Printer,
              label: t('viewer.print'),
              isBusy: printing.isBusy,
              isRare: true,
              run: printing.print,
            },
            searchTool,
          ],
        }
      }
      panel={
        !isQuick &&
        panel.view !== null && (
          <PdfPanel
            pdf={pdf}
            view={panel.view}
            outline={panel.outline}
            expected={firstPage}
            page={page}
            onView={panel.setView}
            onGo={(number) => {
              goToPage(number)
              closeCoveringPanel()
            }}
            onJump={(target) => {
              void jump(target)
              closeCoveringPanel()
            }}
            onClose={() => {
              panel.setView(null)
              focusPages()
            }}
          />
        )
      }
    >
      <ScrollArea ref={area} className={styles.pages} label={visibleName(name)}>
        {widthPx > 0 &&
          Array.from({ length: pdf.numPages }, (_, index) => (
            <PdfPage
              key={index}
              pdf={pdf}
              number={index + 1}
              expected={firstPage}
              scale={scale}
              rotation={rotation}
              onJump={(target) => void jump(target)}
              onDrawn={search.noteDrawn}
            />
          ))}
      </ScrollArea>
    </ViewerFrame>
  )
}

/** Returns the number of the page to which a link of the document leads, or null when it leads nowhere. */
async function pageOfTarget(pdf: LoadedPdf['pdf'], target: unknown): Promise<number | null> {
  const place: unknown = typeof target === 'string' ? await pdf.getDestination(target) : target
  const [reference] = Array.isArray(place) ? (place as unknown[]) : []
  if (typeof reference === 'number') return reference + 1
  if (typeof reference !== 'object' || reference === null) return null
  return pdf.getPageIndex(reference as Parameters<typeof pdf.getPageIndex>[0]).then(
    (index) => index + 1,
    () => null,
  )
}

function useWidthOf(area: { readonly current: HTMLElement | null }): number {
  const [widthPx, setWidthPx] = useState(0)
  useEffect(() => {
    const element = area.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [area])
  return widthPx
}

/**
 * Returns the number of the page at the first third of the visible area. At its middle, a short page that was scrolled to the
 * upper edge would not count.
 */
function useVisiblePage(area: { readonly current: HTMLElement | null }): number {
  const [page, setPage] = useState(1)
  useEffect(() => {
    const element = area.current
    if (element === null) return undefined
    const onScroll = (): void => {
      const { top, height } = element.getBoundingClientRect()
      const line = top + height / 3
      const pages = [...element.querySelectorAll<HTMLElement>('[data-page]')]
      const above = pages.findLast((candidate) => candidate.getBoundingClientRect().top <= line)
      setPage(Number(above?.dataset['page'] ?? 1))
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [area])
  return page
}
