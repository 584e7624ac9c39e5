import { type RefObject, useImperativeHandle } from 'react'
import type { GridGeometry } from './geometry.ts'
import type { GridHandle } from './listing.ts'
import type { GridFocus } from './use-grid-focus.ts'
import type { GridMetrics } from './use-grid-metrics.ts'
import type { ScrollAnchor } from './use-scroll-anchor.ts'
import type { ScrollWindow } from './use-scroll-window.ts'

type GridHandleDependencies = {
  readonly scroller: RefObject<HTMLElement | null>
  readonly metrics: GridMetrics
  readonly geometry: GridGeometry
  readonly scroll: ScrollWindow
  readonly anchor: ScrollAnchor
  readonly focus: GridFocus
}

/** Gives handlers of events access to the functions of a grid while it is on screen. */
export function useGridHandle(
  handle: { current: GridHandle | null },
  { scroller, metrics, geometry, scroll, anchor, focus }: GridHandleDependencies,
): void {
  // The handle is made anew in each rendering. The cache that the compiler would add has nothing to keep.
  'use no memo'
  useImperativeHandle(handle, () => ({
    element: () => scroller.current,
    geometry: () => geometry,
    pageLines: () => Math.floor(metrics.viewHeight / (geometry.tiles?.target ?? metrics.lineHeight)),
    focusIndex: focus.focusIndex,
    focusInPlace: focus.focusInPlace,
    focusHeader: focus.focusHeader,
    topPx: scroll.topPx,
    scrollTo: scroll.scrollTo,
    jumpTo: scroll.jumpTo,
    ...anchor,
  }))
}
