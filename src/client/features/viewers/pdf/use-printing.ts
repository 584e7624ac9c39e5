import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { notifyFailure } from '../../../state/notices.ts'
import { notifyProgress } from '../../../state/screens/work-notices.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { printPdf } from './print-pdf.ts'

/** The state of printing. `isBusy` is true while pages are prepared for the printer. */
export type PdfPrinting = { readonly isBusy: boolean; readonly print: () => void }

const progressText = (page: number, { numPages }: PDFDocumentProxy): string =>
  t('viewer.printing', { page, count: numPages })

/** Returns the function that prints a PDF. A notice shows the page that is prepared, and can cancel the work. */
export function usePrinting(name: string, pdf: PDFDocumentProxy): PdfPrinting {
  const [isBusy, setBusy] = useState(false)
  const print = async (): Promise<void> => {
    const cancelling = new AbortController()
    const notice = notifyProgress(progressText(1, pdf), {
      label: t('buttons.cancel'),
      run: () => cancelling.abort(),
    })
    setBusy(true)
    try {
      await printPdf(pdf, {
        signal: cancelling.signal,
        onPage: (page) => notice.update(progressText(page, pdf)),
      })
    } catch {
      if (!cancelling.signal.aborted) notifyFailure(t('viewer.notPrinted', { name: visibleName(name) }))
    } finally {
      setBusy(false)
      notice.end()
    }
  }
  return { isBusy, print: () => void print() }
}
