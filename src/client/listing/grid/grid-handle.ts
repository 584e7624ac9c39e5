import { type Ref, type RefObject, useImperativeHandle } from 'react'
import type { GridGeometry } from './geometry.ts'
import type { GridFocus } from './use-grid-focus.ts'
import type { GridMetrics } from './use-grid-metrics.ts'
import type { ScrollWindow } from './use-scroll-window.ts'

/**
 * The functions with which keyboard handlers, operations and the code that restores scroll positions control the grid
 * on screen.
 */
export type GridHandle = {
  readonly element: () => HTMLElement | null
  readonly geometry: () => GridGeometry
  /** Returns the number of lines that are completely visible. */
  readonly pageLines: () => number
  /** Focuses a row and scrolls it into view. */
  readonly focusIndex: (index: number) => void
  /** Focuses a row without scrolling. */
  readonly focusInPlace: (index: number) => void
  /** Focuses the button of the column by which the rows are sorted. */
  readonly focusHeader: () => void
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
  /** Scrolls to content that has changed. Only the rows in view are rendered before the next paint. */
  readonly jumpTo: (topPx: number) => void
}

type GridHandleDependencies = {
  readonly scroller: RefObject<HTMLElement | null>
  readonly metrics: GridMetrics
  readonly geometry: GridGeometry
  readonly scroll: ScrollWindow
  readonly focus: GridFocus
}

export function useGridHandle(
  handle: Ref<GridHandle>,
  { scroller, metrics, geometry, scroll, focus }: GridHandleDependencies,
): void {
  useImperativeHandle(handle, () => ({
    element: () => scroller.current,
    geometry: () => geometry,
    pageLines: () => Math.floor(metrics.viewHeight / metrics.lineHeight),
    focusIndex: focus.focusIndex,
    focusInPlace: focus.focusInPlace,
    focusHeader: focus.focusHeader,
    topPx: scroll.topPx,
    scrollTo: scroll.scrollTo,
    jumpTo: scroll.jumpTo,
  }))
}
