import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Geometry, type Range, rowsBetween, topOf } from './geometry.ts'
import {
  contentTopOf,
  needsCorrection,
  placeFor,
  type ScrollExtent,
  scrolledTo,
  type ScrollPlace,
  startPlace,
  topToShow,
} from './scroll-map.ts'

export type ScrollWindow = {
  /** The rows to render. */
  readonly rows: Range
  /** What to take off a row's distance from the start, above the height that browsers can scroll. */
  readonly offset: number
  /** The first row in view, right now. */
  readonly firstInView: () => number
  /** How far the content is scrolled, right now. */
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
  /** Scrolls as little as it takes to bring a row into view. */
  readonly showRow: (index: number) => void
}

type Facts = {
  readonly scroller: RefObject<HTMLElement | null>
  readonly geometry: Geometry
  readonly extent: ScrollExtent
}

/** The window moves in steps of this many lines, so that most scrolling renders nothing. */
const stepLines = 6
/** What is rendered beyond the view on both sides, in views. */
const overscanViews = 0.5
const pauseMs = 150

type Shown = { readonly top: number; readonly offset: number }

/** Follows the scrolling of an element and says which rows have to be there. */
export function useScrollWindow({ scroller, geometry, extent }: Facts): ScrollWindow {
  const [shown, setShown] = useState<Shown>({ top: 0, offset: 0 })
  const place = useRef<ScrollPlace>(startPlace)
  const latest = useRef({ geometry, extent })
  useLayoutEffect(() => {
    latest.current = { geometry, extent }
  })

  const follow = (to: ScrollPlace): void => {
    place.current = to
    const next = shownAt(to, latest.current.geometry)
    setShown((was) => (was.top === next.top && was.offset === next.offset ? was : next))
  }
  const moveTo = (to: ScrollPlace): void => {
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
      followRef.current.moveTo(placeFor(contentTopOf(place.current), extent))
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
    rows: rowsAround(geometry, shown.top, extent.viewHeight),
    offset: shown.offset,
    firstInView: () => rowsBetween(latest.current.geometry, topPx(), topPx() + 1).first,
    topPx,
    scrollTo: (px) => moveTo(placeFor(px, latest.current.extent)),
    showRow: (index) => {
      const { geometry, extent } = latest.current
      const top = topOf(geometry, index)
      const line = { top: index === 0 ? 0 : top, bottom: top + geometry.lineHeight }
      const wanted = topToShow(topPx(), line, extent.viewHeight)
      if (wanted !== topPx()) moveTo(placeFor(wanted, extent))
    },
  }
}

function shownAt(place: ScrollPlace, { lineHeight }: Geometry): Shown {
  const step = lineHeight * stepLines
  return { top: Math.floor(contentTopOf(place) / step) * step, offset: place.offset }
}

function rowsAround(geometry: Geometry, top: number, viewHeight: number): Range {
  const overscan = viewHeight * overscanViews
  return rowsBetween(geometry, top - overscan, top + geometry.lineHeight * stepLines + viewHeight + overscan)
}
