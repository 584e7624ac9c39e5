import { type RefObject, useLayoutEffect, useState } from 'react'
import type { GridGeometry, RowRange } from '../../../listing/grid/geometry.ts'
import { maxScrollHeight } from '../../../listing/grid/scroll-position.ts'
import { useScrollWindow } from '../../../listing/grid/use-scroll-window.ts'
import { useMedia } from '../../../ui/measuring/use-media.ts'

export type FixedRows = {
  /** The rows to render: the visible rows and a few rows above and below them. */
  readonly range: RowRange
  readonly rowPx: number
  /** The number of rows that fit into the view. */
  readonly perView: number
  /** The height of the scrolled element, in CSS pixels. */
  readonly heightPx: number
  /** Returns the distance of a row from the start of the scrolled element, in CSS pixels. */
  readonly topOf: (index: number) => number
  /** Scrolls by the shortest distance that brings a row into view. */
  readonly show: (index: number) => void
  /** The width of the view and the size of 1 rem, in CSS pixels. */
  readonly widthPx: number
  readonly remPx: number
}

type FixedRowsOptions = {
  readonly scroller: RefObject<HTMLElement | null>
  readonly count: number
  /** True when the first line of the view is a header that does not scroll. */
  readonly hasHeader: boolean
}

const rowRem = 1.75
const touchRowRem = 2.75

/** Computes which rows of equal height are near the view of a scrolled element, for any number of rows. */
export function useFixedRows({ scroller, count, hasHeader }: FixedRowsOptions): FixedRows {
  const { width, height, remPx } = useSizeOf(scroller)
  const isTouch = useMedia('(pointer: coarse)')
  const rowPx = Math.round((isTouch ? touchRowRem : rowRem) * remPx)
  const geometry: GridGeometry = {
    columns: 1,
    sections: [
      { title: 'files', first: 0, count, firstLine: 0, top: 0, headingTop: null, lineHeight: rowPx },
    ],
    total: count,
    lineHeight: rowPx,
    height: count * rowPx,
  }
  const viewHeight = Math.max(rowPx, height - (hasHeader ? rowPx : 0))
  const scroll = useScrollWindow({
    scroller,
    geometry,
    extent: { contentHeight: geometry.height, viewHeight },
  })
  return {
    range: scroll.rows,
    rowPx,
    perView: Math.max(1, Math.floor(viewHeight / rowPx)),
    heightPx: Math.min(geometry.height, maxScrollHeight),
    topOf: (index) => index * rowPx - scroll.offset,
    show: scroll.showRow,
    widthPx: width,
    remPx,
  }
}

/**
 * The size that is assumed until the element has been measured. With this size, the first paint has enough rows for a
 * common screen.
 */
const defaultSize = { width: 1000, height: 700, remPx: 16 }

function useSizeOf(area: RefObject<HTMLElement | null>): typeof defaultSize {
  const [size, setSize] = useState(defaultSize)
  useLayoutEffect(() => {
    const element = area.current
    if (element === null) return undefined
    const measure = (): void =>
      setSize({
        width: element.clientWidth,
        height: element.clientHeight,
        remPx: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
      })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [area])
  return size
}
