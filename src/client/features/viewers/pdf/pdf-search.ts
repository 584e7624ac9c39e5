import type { PDFDocumentProxy } from 'pdfjs-dist'
import './matches.css'

/** A place of the searched text: the number of the page from 1, and the number of the match on this page from 0. */
export type PdfMatch = { readonly page: number; readonly index: number }

/** The name of the marks in the style sheet. */
const markName = 'pdf-match'
const currentMarkName = 'pdf-current-match'

/**
 * Finds a text on all pages, without regard to upper and lower case. Stops, and returns what was found so far, when the
 * signal is aborted.
 */
export async function findInPdf(
  pdf: PDFDocumentProxy,
  query: string,
  signal: AbortSignal,
): Promise<readonly PdfMatch[]> {
  const matches: PdfMatch[] = []
  const wanted = query.toLocaleLowerCase()
  if (wanted === '') return matches
  for (let number = 1; number <= pdf.numPages && !signal.aborted; number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join('')
    matches.push(...offsetsIn(text, wanted).map((_, index) => ({ page: number, index })))
  }
  return matches
}

/** Returns the offsets at which a text contains a term in lower case. */
export function offsetsIn(text: string, wanted: string): number[] {
  const offsets: number[] = []
  if (wanted === '') return offsets
  const lower = text.toLocaleLowerCase()
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
    offsets.push(at)
  return offsets
}

/** Returns the ranges of a searched text in the pieces of a page's text. */
export function rangesIn(pieces: readonly HTMLElement[], query: string): Range[] {
  const nodes = pieces.flatMap((piece) => (piece.firstChild instanceof Text ? [piece.firstChild] : []))
  const wanted = query.toLocaleLowerCase()
  return offsetsIn(nodes.map(({ data }) => data).join(''), wanted).map((offset) => {
    const range = new Range()
    const [start, end] = [placeOf(nodes, offset), placeOf(nodes, offset + wanted.length, true)]
    if (start !== null) range.setStart(start.node, start.offset)
    if (end !== null) range.setEnd(end.node, end.offset)
    return range
  })
}

function placeOf(
  nodes: readonly Text[],
  offset: number,
  isEnd = false,
): { node: Text; offset: number } | null {
  let rest = offset
  for (const node of nodes) {
    if (rest < node.length || (isEnd && rest === node.length)) return { node, offset: rest }
    rest -= node.length
  }
  return null
}

/** Marks ranges on screen: all matches, and the current one in another colour. Browsers without such marks show none. */
export function markMatches(ranges: readonly Range[], current: Range | undefined): void {
  if (!('highlights' in CSS)) return
  CSS.highlights.set(markName, new Highlight(...ranges))
  CSS.highlights.set(currentMarkName, new Highlight(...(current === undefined ? [] : [current])))
}
