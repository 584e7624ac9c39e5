import {
  type RefObject,
  startTransition,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { lineHeightOf, type RowRange, topOf } from './geometry.ts'
import {
  type ContentLayout,
  isSamePosition,
  renderedAt,
  type RenderedPosition,
  renderedRows,
  startOfContent,
  withRowsAround,
} from './rendered-rows.ts'
import {
  contentTopOf,
  needsCorrection,
  positionShowing,
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
  /** Returns how far the content is scrolled at the time of the call, in CSS pixels. */
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
  /** Scrolls to content that has changed. Only the rows in view are rendered before the next paint. */
  readonly jumpTo: (topPx: number) => void
  /** Scrolls by the shortest distance that brings a row into view. */
  readonly showRow: (index: number) => void
}

type ScrollWindowOptions = ContentLayout & {
  readonly scroller: RefObject<HTMLElement | null>
}

/** After this many milliseconds without a scroll event, scrolling counts as paused. */
const pauseMs = 150

/** Follows the scrolling of an element and computes which rows have to be rendered. */
export function useScrollWindow(options: ScrollWindowOptions): ScrollWindow {
  const { scroller, geometry, extent } = options
  const [rendered, setRendered] = useState<RenderedPosition>(startOfContent)
  const place = useRef<ScrollPosition>(startPosition)
  const latest = useRef({ geometry, extent })
  useLayoutEffect(() => {
    latest.current = { geometry, extent }
  })

  const follow = (to: ScrollPosition, isJump = false): void => {
    const next = renderedAt(latest.current, { from: place.current, to, isJump })
    place.current = to
    setRendered((was) => (isSamePosition(was, next) ? was : next))
    if (next.jumpTop !== null)
      updateAfterPaint(() => setRendered((was) => (was === next ? withRowsAround(next) : was)))
  }
  const moveTo = (to: ScrollPosition, isJump = false): void => {
    const [fromTop, toTop] = [place.current.scrollTop, to.scrollTop]
    scrollAndRender(scroller.current, { fromTop, toTop }, () => flushSync(() => follow(to, isJump)))
  }
  const correct = useEffectEvent((isPaused: boolean): void => {
    if (!needsCorrection(place.current, extent, isPaused)) return
    moveTo(positionShowing(contentTopOf(place.current), extent))
  })
  /** Follows the element to where the browser has scrolled it. Returns false when it has not moved. */
  const followTo = useEffectEvent((scrollTop: number): boolean => {
    const to = scrolledTo(place.current, scrollTop, extent)
    // The browser rounds the position to pixels of the screen.
    if (Math.abs(to.scrollTop - place.current.scrollTop) < 1) return false
    flushSync(() => follow(to))
    return true
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let pause: ReturnType<typeof setTimeout> | undefined
    const onScroll = (): void => {
      if (!followTo(element.scrollTop)) return
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
    rows: renderedRows(rendered, options),
    offset: rendered.offset,
    topPx,
    scrollTo: (px) => moveTo(positionShowing(px, latest.current.extent)),
    jumpTo: (px) => moveTo(positionShowing(px, latest.current.extent), true),
    showRow: (index) => {
      const next = positionOfRow(index, topPx(), { ...latest.current, element: scroller.current })
      if (next !== null) moveTo(next)
    },
  }
}

/**
 * Renders the rows of a position, and scrolls the element to it. After the rendering, `scrollTo` makes the browser compute
 * the layout of the page at once, and the next frame computes it again. A position closer to the start exists in the old
 * content, too, so the element is scrolled to it before the rendering. At an equal position, it is not scrolled at all.
 */
function scrollAndRender(
  element: HTMLElement | null,
  { fromTop, toTop }: { readonly fromTop: number; readonly toTop: number },
  render: () => void,
): void {
  if (toTop < fromTop) element?.scrollTo({ top: toTop, behavior: 'instant' })
  render()
  if (toTop > fromTop) element?.scrollTo({ top: toTop, behavior: 'instant' })
}

/** Returns the height of the end of a scrolled element that something else covers, such as the upload tray, in CSS pixels. */
const coveredHeight = (element: HTMLElement | null): number =>
  element === null ? 0 : Number.parseFloat(getComputedStyle(element).scrollPaddingBlockEnd) || 0

type ScrolledContent = ContentLayout & { readonly element: HTMLElement | null }

/** Returns the position that shows a row, or null when the row is shown already. */
function positionOfRow(
  index: number,
  current: number,
  { element, ...layout }: ScrolledContent,
): ScrollPosition | null {
  const coveredPx = coveredHeight(element)
  const next = topToShowRow(index, { current, coveredPx }, layout)
  // The element has as much space below the content as is covered.
  const contentHeight = layout.extent.contentHeight + coveredPx
  return next === current ? null : positionShowing(next, { ...layout.extent, contentHeight })
}

type ShowOptions = { readonly current: number; readonly coveredPx: number }

/** Returns the scroll position that is closest to the current position and shows the whole row above what covers the end. */
function topToShowRow(
  index: number,
  { current, coveredPx }: ShowOptions,
  { geometry, extent }: ContentLayout,
): number {
  const top = topOf(geometry, index)
  const lineEnd = top + lineHeightOf(geometry, index)
  // The last line is shown with the end of the content.
  const shownEnd = lineEnd >= geometry.height ? extent.contentHeight : lineEnd
  const bottom = Math.max(shownEnd, lineEnd + coveredPx)
  return topToShow(current, { top: index === 0 ? 0 : top, bottom }, extent.viewHeight)
}

/** Updates the state after the next frame is painted. React interrupts the rendering for the user's input. */
function updateAfterPaint(update: () => void): void {
  requestAnimationFrame(() => setTimeout(() => startTransition(update)))
}
