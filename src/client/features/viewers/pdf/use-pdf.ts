import { InvalidPDFException, type PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useState } from 'react'
import { damagedReason } from '../frame/damaged-reason.ts'
import type { ViewerProps } from '../viewer.ts'
import { openPdf } from './pdf-document.ts'
import type { PageSize } from './pdf-page.tsx'

export type PasswordQuestion = { readonly isWrong: boolean; readonly answer: (password: string) => void }

export type LoadedPdf = { readonly pdf: PDFDocumentProxy; readonly firstPage: PageSize }

type PdfState = {
  readonly loaded: LoadedPdf | null
  /** The question for the password of an encrypted document, or null. */
  readonly question: PasswordQuestion | null
}

/**
 * The largest number of pages that are shown. A document of 600 kB may name one page 100,000 times. Their frames are made at once, which takes
 * 1.5 s for 5000 pages and 7 s for 20,000.
 */
const maxPages = 20_000

/** Opens a PDF as long as the component is mounted. Calls `onBroken` for a file that cannot be shown. */
export function usePdf(address: string, onBroken: ViewerProps['onBroken']): PdfState {
  const [loaded, setLoaded] = useState<LoadedPdf | null>(null)
  const [question, setQuestion] = useState<PasswordQuestion | null>(null)
  const reportBroken = useEffectEvent(onBroken)
  useEffect(() => {
    let isClosed = false
    const { document, close } = openPdf(address, ({ isWrong, answer }) =>
      setQuestion({
        isWrong,
        answer: (password) => {
          setQuestion(null)
          answer(password)
        },
      }),
    )
    const load = async (): Promise<void> => {
      const pdf = await document
      if (pdf.numPages > maxPages) throw new Error('The document has too many pages.')
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
      if (!isClosed) setLoaded({ pdf, firstPage: { width, height } })
    }
    load().catch((thrown: unknown) => {
      if (!isClosed) reportBroken(thrown instanceof InvalidPDFException ? damagedReason() : undefined)
    })
    return () => {
      isClosed = true
      close()
    }
  }, [address])
  return { loaded, question }
}
