import { type CSSProperties, type RefObject, useLayoutEffect, useState } from 'react'
import { scrollHeightOf } from './scroll-position.ts'
import { useStore } from '../../state/store.ts'
import { mobileQuery, useMedia } from '../../ui/use-media.ts'
import { listFilter } from './list-filter.ts'

/** The sizes of a view, in CSS pixels. */
export type GridMetrics = {
  readonly columns: number
  /**
   * The distance between the tops of two consecutive lines: the height of a row, or the height of a card including the
   * gap below it.
   */
  readonly lineHeight: number
  readonly headingHeight: number
  /** The height of the view below the column headings. */
  readonly viewHeight: number
  /** The empty space below the last line. */
  readonly padding: number
  readonly cardWidth: string
  readonly startOf: (column: number) => string
  /**
   * Returns the columns that overlap the part of a line from `start` to `end`. Both distances are measured from the
   * start of the line.
   */
  readonly columnsBetween: (start: number, end: number) => readonly [first: number, last: number]
  /** The height of the column headings, which stick to the top of the view. 0 in the mosaic. */
  readonly headerHeight: number
  readonly scrollHeightOf: (contentHeight: number) => number
  readonly style: CSSProperties
}

/**
 * The media query for tall rows: touch screens need larger targets, and narrow screens show a second line of text in
 * each row.
 */
const tallRows = `(pointer: coarse), ${mobileQuery}`

const columnRowHeight = 36
const touchColumnRowHeight = 44
const rowHeight = 36
const touchRowHeight = 60
const cardWidth = 300
const cardHeight = 84
const cardGap = 12
const headingHeight = 40
const cardPadding = 16
/**
 * The height of the empty space below the last line, in CSS pixels. The space lets the user scroll the last line above
 * the toasts that cover the end of the list.
 */
const endPadding = 72
/**
 * The size that the grid assumes until the element has been measured. With this size, the first paint has enough rows
 * for a common screen.
 */
const defaultSize = { width: 1000, height: 900 }

/** Computes the sizes of a view from the size of its element and from the kind of pointer. */
export function useGridMetrics(
  scroller: RefObject<HTMLElement | null>,
  view: 'list' | 'mosaic',
): GridMetrics {
  const { width, height } = useElementSize(scroller) ?? defaultSize
  const isTouch = useMedia(tallRows)
  const isFiltered = useStore(listFilter) !== null
  const metrics = view === 'list' ? listMetrics(height, isTouch) : mosaicMetrics(width, height)
  // The other results of the search follow directly below the last line.
  return isFiltered ? { ...metrics, padding: 0 } : metrics
}

function listMetrics(height: number, isTouch: boolean): GridMetrics {
  const headerHeight = isTouch ? touchColumnRowHeight : columnRowHeight
  const lineHeight = isTouch ? touchRowHeight : rowHeight
  return {
    columns: 1,
    lineHeight,
    headingHeight: 0,
    viewHeight: Math.max(height - headerHeight, lineHeight),
    padding: endPadding,
    cardWidth: '100%',
    startOf: () => '0',
    columnsBetween: () => [0, 0],
    headerHeight,
    scrollHeightOf,
    style: customProperties({ 'grid-header-height': headerHeight, 'line-height': lineHeight }),
  }
}

function mosaicMetrics(width: number, height: number): GridMetrics {
  const room = width - 2 * cardPadding
  const columns = Math.max(Math.floor((room + cardGap) / (cardWidth + cardGap)), 1)
  const card = (room - (columns - 1) * cardGap) / columns
  return {
    columns,
    lineHeight: cardHeight + cardGap,
    headingHeight,
    viewHeight: Math.max(height, cardHeight),
    padding: endPadding,
    cardWidth: `${card}px`,
    startOf: (column) => `${cardPadding + column * (card + cardGap)}px`,
    columnsBetween: (start, end) => [
      Math.ceil((start - cardPadding - card) / (card + cardGap)),
      Math.floor((end - cardPadding) / (card + cardGap)),
    ],
    headerHeight: 0,
    scrollHeightOf,
    style: customProperties({ 'line-height': cardHeight + cardGap, 'card-gap': cardGap }),
  }
}

const customProperties = (pixels: Readonly<Record<string, number>>): CSSProperties =>
  Object.fromEntries(Object.entries(pixels).map(([name, value]) => [`--${name}`, `${value}px`]))

type ElementSize = { readonly width: number; readonly height: number }

/** Follows the inner size of an element, in CSS pixels. Returns null until the element has been measured. */
function useElementSize(element: RefObject<HTMLElement | null>): ElementSize | null {
  const [box, setBox] = useState<ElementSize | null>(null)
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const measure = (): void => {
      const next = { width: target.clientWidth, height: target.clientHeight }
      setBox((was) => (was?.width === next.width && was.height === next.height ? was : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return box
}
