import type { RefObject } from 'react'
import type { RowSet } from '../../state/row-set.ts'
import { clearSelection, type RowOrder, type Selection } from '../../state/selection.ts'
import { selectIndexes, toggleIndexes } from './rectangle-selection.ts'
import type { GridGeometry } from '../grid/geometry.ts'
import type { Listing } from '../grid/listing.ts'
import type { CardMetrics } from '../tiles/tile-layout.ts'
import { rowsInBox } from './rows-in-box.ts'
import { selectAlone } from '../grid/select-in-lists.ts'
import { isRightToLeft } from '../../ui/direction/direction.ts'

/**
 * The selection rectangle that the user is drawing with the mouse, in CSS pixels from the top and the left edge of the
 * content.
 */
export type SelectionRectangle = {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export type RubberBandDependencies = {
  readonly listing: Listing
  readonly scroller: RefObject<HTMLElement | null>
  readonly rows: RowOrder
  readonly geometry: GridGeometry
  /** The sizes of equal cards. Null in the list. */
  readonly card: CardMetrics | null
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
  /** The height of the column headings, which stick to the top of the view. */
  readonly headerHeight: number
}

/** A press of the mouse button on the content. */
export type RubberBandPress = {
  /**
   * The rows that stay in the selection during the drag. When Shift is held or rows are toggled, these are the rows
   * that were selected before the drag. Otherwise the set is empty.
   */
  readonly kept: RowSet
  /** True when the drag keeps the selected rows of all lists. */
  readonly isAdding: boolean
  /** True when rows in the rectangle are toggled instead of selected. */
  readonly isToggling: boolean
  /** The position of the mouse, in CSS pixels from the top left corner of the window. */
  readonly clientX: number
  readonly clientY: number
  /** The scroll position at the moment of the press. */
  readonly topPx: number
}

/** The state of a drag with the mouse, from the press to the release of the button. */
type SelectionDrag = Pick<RubberBandPress, 'kept' | 'isAdding' | 'isToggling'> & {
  /** The point of the press, in CSS pixels from the top left corner of the content. */
  readonly x: number
  readonly y: number
  /** The vertical position of the press, in CSS pixels from the top of the window. */
  readonly startY: number
  /** True once the mouse was away from the edges, where the content does not scroll. */
  hasLeftEdge: boolean
  /** True once the mouse has moved further than `startPx`. A shorter movement is a click. */
  isStretched: boolean
  /** The last position of the mouse, in CSS pixels from the top left corner of the window. */
  clientX: number
  clientY: number
}

const startPx = 4
/**
 * During a drag, the content scrolls while the mouse is within this many CSS pixels of the upper or lower edge of the
 * view.
 */
const edgePx = 56
/** The minimum and the maximum scrolling speed, in CSS pixels per frame. */
const [minStepPx, maxStepPx] = [8, 40]

/**
 * Draws the rectangle and selects the rows below it until the mouse button is released. Returns a function that ends
 * the drag earlier. A press on the scrollbar draws nothing.
 */
export function drawRubberBand(
  latest: RefObject<RubberBandDependencies>,
  press: RubberBandPress,
  setBand: (band: SelectionRectangle | null) => void,
): () => void {
  const origin = contentPoint(latest.current, press, press.topPx)
  if (origin === null) return () => {}
  return trackDrag(
    latest,
    { ...press, ...origin, startY: press.clientY, hasLeftEdge: false, isStretched: false },
    setBand,
  )
}

function trackDrag(
  latest: RefObject<RubberBandDependencies>,
  drag: SelectionDrag,
  setBand: (band: SelectionRectangle | null) => void,
): () => void {
  let frame = 0
  const draw = (): void => {
    const band = bandOf(latest.current, drag)
    if (band === null) return
    setBand(band)
    selectTouchedRows(latest.current, drag, band)
  }
  const scroll = (): void => {
    const step = drag.isStretched ? edgeStep(latest.current, drag.clientY) : 0
    drag.hasLeftEdge ||= drag.isStretched && step === 0
    // A drag that begins near an edge and leads away from it scrolls nothing.
    if (step !== 0 && (drag.hasLeftEdge || step * (drag.clientY - drag.startY) > 0)) {
      latest.current.scrollTo(latest.current.topPx() + step)
      draw()
    }
    frame = requestAnimationFrame(scroll)
  }
  const move = ({ clientX, clientY }: PointerEvent): void => {
    drag.isStretched ||= Math.hypot(clientX - drag.clientX, clientY - drag.clientY) > startPx
    if (!drag.isStretched) return
    drag.clientX = clientX
    drag.clientY = clientY
    draw()
  }
  const stop = (): void => {
    cancelAnimationFrame(frame)
    removeEventListener('pointermove', move)
    removeEventListener('pointerup', finish)
    removeEventListener('pointercancel', stop)
    setBand(null)
  }
  const finish = (): void => {
    stop()
    if (!drag.isStretched) return
    swallowClick()
    focusEnd(latest.current, drag)
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', finish)
  addEventListener('pointercancel', stop)
  frame = requestAnimationFrame(scroll)
  return stop
}

/** Focuses the row at the end of the drag, so that the arrow keys go on from there. A drag over no row moves no focus. */
function focusEnd(dependencies: RubberBandDependencies, drag: SelectionDrag): void {
  const band = bandOf(dependencies, drag)
  const indexes = band === null ? [] : indexesIn(dependencies, band)
  const end = band !== null && band.top < drag.y ? indexes.at(0) : indexes.at(-1)
  dependencies.scroller.current
    ?.querySelector<HTMLElement>(`[role="row"][data-index="${end}"]`)
    ?.focus({ preventScroll: true })
}

const swallow = (event: Event): void => event.stopPropagation()

/** Ignores the click event that the browser may fire right after the mouse button is released. */
function swallowClick(): void {
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}

/**
 * Converts a point from window coordinates to content coordinates, for a scroll position. Returns null for a point on
 * the scrollbar.
 */
function contentPoint(
  { scroller, headerHeight }: RubberBandDependencies,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
  topPx: number,
): { readonly x: number; readonly y: number } | null {
  const element = scroller.current
  if (element === null) return null
  const box = element.getBoundingClientRect()
  const x = clientX - box.left - element.clientLeft
  return x < 0 || x > element.clientWidth ? null : { x, y: clientY - box.top - headerHeight + topPx }
}

function bandOf(dependencies: RubberBandDependencies, drag: SelectionDrag): SelectionRectangle | null {
  const point = contentPoint(dependencies, drag, dependencies.topPx())
  if (!drag.isStretched || point === null) return null
  return {
    top: Math.min(drag.y, point.y),
    bottom: Math.max(drag.y, point.y),
    left: Math.min(drag.x, point.x),
    right: Math.max(drag.x, point.x),
  }
}

/** Returns the indexes of the rows that a rectangle touches, from the top. */
function indexesIn(
  { scroller, geometry, card }: RubberBandDependencies,
  band: SelectionRectangle,
): readonly number[] {
  const [start, end] = alongLine(scroller.current, band)
  return rowsInBox(geometry, card, { top: band.top, bottom: band.bottom, start, end })
}

function selectTouchedRows(
  dependencies: RubberBandDependencies,
  { kept, isAdding, isToggling }: SelectionDrag,
  band: SelectionRectangle,
): void {
  const { listing, rows } = dependencies
  const indexes = indexesIn(dependencies, band)
  const change = isToggling ? toggleIndexes : selectIndexes
  const select = (before: Selection): Selection => change(clearSelection(before), rows, { indexes, kept })
  if (isAdding) listing.selection.set(select)
  else selectAlone(listing, select)
}

/**
 * Returns the horizontal extent of the rectangle, measured from the start of the lines. Lines start at the right edge
 * in right-to-left languages and at the left edge in all other languages.
 */
function alongLine(
  element: HTMLElement | null,
  { left, right }: SelectionRectangle,
): readonly [start: number, end: number] {
  if (element === null || !isRightToLeft()) return [left, right]
  return [element.clientWidth - right, element.clientWidth - left]
}

/**
 * Returns the distance to scroll in one frame, in CSS pixels. The distance grows as the mouse approaches the edge of
 * the view and moves beyond it.
 */
function edgeStep({ scroller, headerHeight }: RubberBandDependencies, clientY: number): number {
  const box = scroller.current?.getBoundingClientRect()
  if (box === undefined) return 0
  const above = box.top + headerHeight + edgePx - clientY
  const below = clientY - (box.bottom - edgePx)
  const depth = Math.max(above, below)
  if (depth <= 0) return 0
  const step = Math.min(minStepPx + (depth / edgePx) * (maxStepPx - minStepPx), maxStepPx)
  return above > below ? -step : step
}
