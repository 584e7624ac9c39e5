import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { updateAfterPaint } from './after-paint.ts'
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

/** The positions of the rows, and the sizes of the content and the view. */
type Layout = { readonly geometry: GridGeometry; readonly extent: ScrollExtent }

type ScrollWindowOptions = Layout & {
  readonly scroller: RefObject<HTMLElement | null>
  /** True while only the visible rows are to be rendered, because all of them have changed. */
  readonly isExact?: boolean
}

/** The range of rendered rows moves in steps of this many lines, so that most scroll events cause no rendering. */
const stepLines = 6
/** The extra area that is rendered above the view, and again below it, as a fraction of the view's height. */
const overscanViews = 0.5
/** After this many milliseconds without a scroll event, scrolling counts as paused. */
const pauseMs = 150

/**
 * The position that is rendered. `top` is the start of a step. After a jump, `jumpTop` is the exact top of the view until
 * the rows around the view are rendered as well; it is null at other times.
 */
type RenderedPosition = { readonly top: number; readonly offset: number; readonly jumpTop: number | null }

/** Follows the scrolling of an element and computes which rows have to be rendered. */
export function useScrollWindow(options: ScrollWindowOptions): ScrollWindow {
  const { scroller, geometry, extent } = options
  const [rendered, setRendered] = useState<RenderedPosition>({ top: 0, offset: 0, jumpTop: null })
  const place = useRef<ScrollPosition>(startPosition)
  const latest = useRef({ geometry, extent })
  useLayoutEffect(() => {
    latest.current = { geometry, extent }
  })

  const follow = (to: ScrollPosition): void => {
    const next = renderedAt(place.current, to, latest.current)
    place.current = to
    setRendered((was) => (isSamePosition(was, next) ? was : next))
    if (next.jumpTop !== null) updateAfterPaint(() => setRendered(withRowsAround))
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
    rows: rowsAround(rendered, options),
    offset: rendered.offset,
    firstInView: () => rowsBetween(latest.current.geometry, topPx(), topPx() + 1).first,
    topPx,
    scrollTo: (px) => moveTo(positionShowing(px, latest.current.extent)),
    showRow: (index) => {
      const next = topToShowRow(index, topPx(), latest.current)
      if (next !== topPx()) moveTo(positionShowing(next, latest.current.extent))
    },
  }
}

/** Returns the scroll position that is closest to the current position and shows the whole row. */
function topToShowRow(index: number, current: number, { geometry, extent }: Layout): number {
  const top = topOf(geometry, index)
  const lineEnd = top + lineHeightOf(geometry, index)
  // The last line is shown with the end of the content, because the upload tray may cover the space below that line.
  const bottom = lineEnd >= geometry.height ? extent.contentHeight : lineEnd
  return topToShow(current, { top: index === 0 ? 0 : top, bottom }, extent.viewHeight)
}

function renderedAt(
  from: ScrollPosition,
  to: ScrollPosition,
  { geometry, extent }: Layout,
): RenderedPosition {
  const step = geometry.files.lineHeight * stepLines
  const top = contentTopOf(to)
  const isJump = Math.abs(top - contentTopOf(from)) > extent.viewHeight
  return { top: Math.floor(top / step) * step, offset: to.offset, jumpTop: isJump ? top : null }
}

const withRowsAround = (position: RenderedPosition): RenderedPosition => ({ ...position, jumpTop: null })

const isSamePosition = (a: RenderedPosition, b: RenderedPosition): boolean =>
  a.top === b.top && a.offset === b.offset && a.jumpTop === b.jumpTop

/**
 * Returns the rows in a view that begins somewhere in the step at `top`, and those in the overscan around it. After a
 * jump, returns only the rows in the view, so that the user sees them as early as possible.
 */
function rowsAround(
  { top, jumpTop }: RenderedPosition,
  { geometry, extent, isExact = false }: ScrollWindowOptions,
): RowRange {
  const { viewHeight } = extent
  if (jumpTop !== null) return rowsBetween(geometry, jumpTop, jumpTop + viewHeight)
  const overscan = isExact ? 0 : viewHeight * overscanViews
  // When all rows have changed, the rendered range begins at the first row and needs no extra step.
  const step = isExact && top === 0 ? 0 : geometry.files.lineHeight * stepLines
  return rowsBetween(geometry, top - overscan, top + step + viewHeight + overscan)
}
