import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type GridGeometry, lineHeightOf, type RowRange, rowsBetween, topOf } from './geometry.ts'
import {
  contentTopOf,
  needsCorrection,
  positionShowing,
  type ScrollExtent,
  scrolledTo,
  type ScrollPosition,
  startPosition,
  topToShow,
} from './scroll-position.ts'

export type ScrollWindow = {
  /** The rows to render: the visible rows and a few rows above and below them. */
  readonly rows: RowRange
  /**
   * The number of pixels to subtract from a row's distance to the start of the content. 0 unless the height of the
   * scrolled element is clamped.
   */
  readonly offset: number
  /** Returns the index of the first visible row at the time of the call. */
  readonly firstInView: () => number
  /** Returns how far the content is scrolled at the time of the call, in CSS pixels. */
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
  /** Scrolls by the shortest distance that brings a row into view. */
  readonly showRow: (index: number) => void
}

type ScrollWindowOptions = {
  readonly scroller: RefObject<HTMLElement | null>
  readonly geometry: GridGeometry
  readonly extent: ScrollExtent
  /** True while only the visible rows are to be rendered, because all of them have changed. */
  readonly isExact?: boolean
}

/** The range of rendered rows moves in steps of this many lines, so that most scroll events cause no rendering. */
const stepLines = 6
/** The extra area that is rendered above the view, and again below it, as a fraction of the view's height. */
const overscanViews = 0.5
/** After this many milliseconds without a scroll event, scrolling counts as paused. */
const pauseMs = 150

type RenderedPosition = { readonly top: number; readonly offset: number }

/** Follows the scrolling of an element and computes which rows have to be rendered. */
export function useScrollWindow(options: ScrollWindowOptions): ScrollWindow {
  const { scroller, geometry, extent } = options
  const [shown, setShown] = useState<RenderedPosition>({ top: 0, offset: 0 })
  const place = useRef<ScrollPosition>(startPosition)
  const latest = useRef({ geometry, extent })
  useLayoutEffect(() => {
    latest.current = { geometry, extent }
  })

  const follow = (to: ScrollPosition): void => {
    place.current = to
    const next = shownAt(to, latest.current.geometry)
    setShown((was) => (was.top === next.top && was.offset === next.offset ? was : next))
  }
  const moveTo = (to: ScrollPosition): void => {
    flushSync(() => follow(to))
    scroller.current?.scrollTo({ top: to.scrollTop, behavior: 'instant' })
  }
  const followRef = useRef({ follow, moveTo })
  useLayoutEffect(() => {
    followRef.current = { follow, moveTo }
  })

  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let pause: ReturnType<typeof setTimeout> | undefined
    const correct = (isPaused: boolean): void => {
      const { extent } = latest.current
      if (!needsCorrection(place.current, extent, isPaused)) return
      followRef.current.moveTo(positionShowing(contentTopOf(place.current), extent))
    }
    const onScroll = (): void => {
      const to = scrolledTo(place.current, element.scrollTop, latest.current.extent)
      if (to.scrollTop === place.current.scrollTop) return
      flushSync(() => followRef.current.follow(to))
      correct(false)
      clearTimeout(pause)
      pause = setTimeout(() => correct(true), pauseMs)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(pause)
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller])

  const topPx = (): number => contentTopOf(place.current)
  return {
    rows: rowsAround(shown.top, options),
    offset: shown.offset,
    firstInView: () => rowsBetween(latest.current.geometry, topPx(), topPx() + 1).first,
    topPx,
    scrollTo: (px) => moveTo(positionShowing(px, latest.current.extent)),
    showRow: (index) => {
      const { geometry, extent } = latest.current
      const top = topOf(geometry, index)
      const bottom = bottomToShow(top + lineHeightOf(geometry, index), latest.current)
      const next = topToShow(topPx(), { top: index === 0 ? 0 : top, bottom }, extent.viewHeight)
      if (next !== topPx()) moveTo(positionShowing(next, extent))
    },
  }
}

/**
 * Returns the position that has to be in view together with a line. For the last line, this is the end of the content,
 * because the upload tray may cover the space below that line.
 */
const bottomToShow = (
  lineEnd: number,
  { geometry, extent }: Pick<ScrollWindowOptions, 'geometry' | 'extent'>,
): number => (lineEnd >= geometry.height ? extent.contentHeight : lineEnd)

function shownAt(place: ScrollPosition, { files }: GridGeometry): RenderedPosition {
  const step = files.lineHeight * stepLines
  return { top: Math.floor(contentTopOf(place) / step) * step, offset: place.offset }
}

/** Returns the rows in a view that begins somewhere in the step at `top`, and those in the overscan around it. */
function rowsAround(top: number, { geometry, extent, isExact = false }: ScrollWindowOptions): RowRange {
  const { viewHeight } = extent
  const overscan = isExact ? 0 : viewHeight * overscanViews
  // When all rows have changed, the rendered range begins at the first row and needs no extra step.
  const step = isExact && top === 0 ? 0 : geometry.files.lineHeight * stepLines
  return rowsBetween(geometry, top - overscan, top + step + viewHeight + overscan)
}
