import type { CSSProperties, RefObject } from 'react'
import { scrollHeightOf } from './scroll-map.ts'
import { useBox } from './use-box.ts'
import { mobileQuery, useMedia } from '../../ui/use-media.ts'

/** Sizes of a view, in CSS pixels. */
export type Measures = {
  readonly columns: number
  /** From one line to the next: a row, or a card with the gap below it. */
  readonly lineHeight: number
  readonly headingHeight: number
  /** What is in view below the column row. */
  readonly viewHeight: number
  /** Room below the last line. */
  readonly padding: number
  readonly cardWidth: string
  readonly startOf: (column: number) => string
  /** The columns that a stretch of the width touches, from the start of the line. */
  readonly columnsBetween: (start: number, end: number) => readonly [first: number, last: number]
  /** What sticks to the top of the view. */
  readonly headerHeight: number
  readonly scrollHeightOf: (contentHeight: number) => number
  readonly style: CSSProperties
}

/** Fingers need tall rows, and narrow screens show a second line in each. */
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
/** So that the last line can be scrolled out from under what floats over the list. */
const endPadding = 72
/** Shown until the place has been measured: enough for a first paint of any screen. */
const unmeasured = { width: 1000, height: 900 }

/** How large things are in a view, from the room there is and what the pointer needs. */
export function useMeasures(scroller: RefObject<HTMLElement | null>, view: 'list' | 'mosaic'): Measures {
  const { width, height } = useBox(scroller) ?? unmeasured
  const isTouch = useMedia(tallRows)
  return view === 'list' ? listMeasures(height, isTouch) : mosaicMeasures(width, height)
}

function listMeasures(height: number, isTouch: boolean): Measures {
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

function mosaicMeasures(width: number, height: number): Measures {
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
