import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ViewerSearch } from '../frame/search-tool.tsx'
import { findInPdf, markMatches, type PdfMatch, rangesIn } from './pdf-search.ts'

/** The time after the last letter until the search begins, in milliseconds. */
const restMs = 150

type PdfSearch = ViewerSearch & {
  /** Call it when the text of a page was drawn or has gone. */
  readonly noteDrawn: (page: number, pieces: readonly HTMLElement[] | null) => void
}

/** Searches a PDF, and marks the matches on the pages that are drawn. */
export function usePdfSearch(pdf: PDFDocumentProxy, goToPage: (page: number) => void): PdfSearch {
  const [query, setQuery] = useState('')
  const [matches, setMatches] = useState<readonly PdfMatch[] | null>([])
  const [current, setCurrent] = useState(0)
  const [drawn, setDrawn] = useState<ReadonlyMap<number, readonly HTMLElement[]>>(new Map())
  const showPage = useEffectEvent(goToPage)
  useEffect(() => {
    const abort = new AbortController()
    const find = async (): Promise<void> => {
      setMatches(null)
      const found = await findInPdf(pdf, query.trim(), abort.signal)
      if (abort.signal.aborted) return
      setMatches(found)
      setCurrent(0)
      if (found[0] !== undefined) showPage(found[0].page)
    }
    const timer = setTimeout(() => void find(), restMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [pdf, query])
  useEffect(() => {
    const match = matches?.[current]
    const ranges = new Map([...drawn].map(([page, pieces]) => [page, rangesIn(pieces, query.trim())]))
    const currentRange = match && ranges.get(match.page)?.[match.index]
    markMatches([...ranges.values()].flat(), currentRange)
    currentRange?.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' })
    return () => markMatches([], undefined)
  }, [drawn, matches, current, query])
  return {
    query,
    setQuery,
    total: matches?.length ?? null,
    current,
    // The first match follows the last one.
    step: (by) => {
      const count = matches?.length ?? 0
      if (count === 0) return
      const next = (current + by + count) % count
      setCurrent(next)
      const match = matches?.[next]
      if (match !== undefined && !drawn.has(match.page)) goToPage(match.page)
    },
    noteDrawn: (page, pieces) =>
      setDrawn((before) => {
        const after = new Map(before)
        if (pieces === null) after.delete(page)
        else after.set(page, pieces)
        return after
      }),
  }
}
