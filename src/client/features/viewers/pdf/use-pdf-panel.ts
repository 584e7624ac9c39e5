import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import { useStore } from '../../../state/store.ts'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { type OutlineLine, readOutline } from './pdf-outline.ts'
import { pdfPanelChoice, type PdfPanelView } from './pdf-panel-choice.ts'

type PdfPanelState = {
  readonly outline: readonly OutlineLine[]
  /** The content of the panel, or null while the panel is closed. */
  readonly view: PdfPanelView | null
  /** False for a document of one page without a table of contents, for which the panel would be of no use. */
  readonly isUseful: boolean
  /** True when the panel covers the pages, so that it closes when a page was chosen. */
  readonly isCovering: boolean
  readonly setView: (view: PdfPanelView | null) => void
  readonly toggle: () => void
}

/** Reads the table of contents of a PDF, and keeps what its panel shows: on this device, or on phones until it is closed. */
export function usePdfPanel(pdf: PDFDocumentProxy): PdfPanelState {
  const [outline, setOutline] = useState<readonly OutlineLine[]>([])
  const [phoneView, setPhoneView] = useState<PdfPanelView | null>(null)
  const choice = useStore(pdfPanelChoice)
  const isCovering = useMedia(mobileQuery)
  useEffect(() => {
    let isCurrent = true
    const load = async (): Promise<void> => {
      const lines = await readOutline(pdf)
      if (isCurrent) setOutline(lines)
    }
    // A document with a damaged table of contents is shown without one.
    load().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [pdf])
  const setView = (view: PdfPanelView | null): void => {
    if (isCovering) setPhoneView(view)
    else pdfPanelChoice.set(view ?? 'closed')
  }
  const isUseful = pdf.numPages > 1 || outline.length > 0
  const chosen = isCovering ? phoneView : choice === 'closed' ? null : choice
  const view = isUseful ? chosen : null
  return {
    outline,
    view,
    isUseful,
    isCovering,
    setView,
    toggle: () => setView(view === null ? 'pages' : null),
  }
}
