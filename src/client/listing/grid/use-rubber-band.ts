import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { emptyRowSet, type RowSet } from '../../state/row-set.ts'
import {
  clearSelection,
  type RowOrder,
  selectIndexes,
  selection,
  toggleIndexes,
} from '../../state/selection.ts'
import { type Geometry, rowsInBox } from './geometry.ts'

/** The rectangle that the mouse is drawing, in CSS pixels from the top and the left edge of the content. */
export type Band = {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

type RubberBandDependencies = {
  readonly scroller: RefObject<HTMLElement | null>
  readonly rows: RowOrder
  readonly geometry: Geometry
  /** Returns the columns that overlap a part of the width. Distances count from the start of the line. */
  readonly columnsBetween: (start: number, end: number) => readonly [first: number, last: number]
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
  /** The height of the column row, which sticks to the top of the view. */
  readonly headerHeight: number
}

/** One drag of the mouse, from the press on. */
type BandDrag = {
  /** The rows that stay selected whatever the rectangle covers. */
  readonly kept: RowSet
  /** True when rows in the rectangle are toggled instead of selected. */
  readonly isToggling: boolean
  /** The point of the press, in the content. */
  readonly x: number
  readonly y: number
  /** True once the mouse has moved further than `startPx`: a shorter move is a click. */
  isStretched: boolean
  /** The last point of the mouse, in the window. */
  clientX: number
  clientY: number
}

const startPx = 4
/** Within this distance of the upper and lower edge of the view the content scrolls. */
const edgePx = 56
/** The slowest and the fastest scrolling, in CSS pixels per frame. */
const [minStepPx, maxStepPx] = [8, 40]

/**
 * Selects rows by drawing a rectangle with the mouse. `begin` handles the press, which counts only where nothing else
 * handles a press. `band` is the rectangle while it is drawn, else null.
 */
export function useRubberBand(dependencies: RubberBandDependencies): {
  readonly band: Band | null
  readonly begin: (event: ReactPointerEvent<HTMLElement>) => void
} {
  const [band, setBand] = useState<Band | null>(null)
  const latest = useRef(dependencies)
  useEffect(() => {
    latest.current = dependencies
  })
  const end = useRef<(() => void) | null>(null)
  useEffect(() => () => end.current?.(), [])

  const begin = (event: ReactPointerEvent<HTMLElement>): void => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || !isBandStart(event.target as Element)) return
    const origin = contentPoint(latest.current, event)
    if (origin === null) return
    const { shiftKey, ctrlKey, metaKey } = event
    const isToggling = ctrlKey || metaKey
    const drag: BandDrag = {
      ...origin,
      kept: shiftKey || isToggling ? selection.get().chosen : emptyRowSet,
      isToggling,
      isStretched: false,
      clientX: event.clientX,
      clientY: event.clientY,
    }
    end.current?.()
    end.current = trackDrag(latest, drag, setBand)
  }
  return { band, begin }
}

function trackDrag(
  latest: RefObject<RubberBandDependencies>,
  drag: BandDrag,
  setBand: (band: Band | null) => void,
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
    if (step !== 0) {
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
    if (drag.isStretched) swallowClick()
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', finish)
  addEventListener('pointercancel', stop)
  frame = requestAnimationFrame(scroll)
  return stop
}

const swallow = (event: Event): void => event.stopPropagation()

/** Ignores the click event that the browser fires right after the mouse button is released. It may fire none. */
function swallowClick(): void {
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}

/** True for parts of the grid without a gesture of their own. Names, icons, check boxes and buttons have one. */
const isBandStart = (target: Element): boolean =>
  target.closest('[data-part="name"], [data-part="check"], svg, button, [role="columnheader"]') === null

/** Translates a point of the window to the content. Returns null for a point on the scrollbar. */
function contentPoint(
  { scroller, topPx, headerHeight }: RubberBandDependencies,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): { readonly x: number; readonly y: number } | null {
  const element = scroller.current
  if (element === null) return null
  const box = element.getBoundingClientRect()
  const x = clientX - box.left - element.clientLeft
  return x < 0 || x > element.clientWidth ? null : { x, y: clientY - box.top - headerHeight + topPx() }
}

function bandOf(dependencies: RubberBandDependencies, drag: BandDrag): Band | null {
  const point = contentPoint(dependencies, drag)
  if (!drag.isStretched || point === null) return null
  return {
    top: Math.min(drag.y, point.y),
    bottom: Math.max(drag.y, point.y),
    left: Math.min(drag.x, point.x),
    right: Math.max(drag.x, point.x),
  }
}

function selectTouchedRows(
  { scroller, rows, geometry, columnsBetween }: RubberBandDependencies,
  { kept, isToggling }: BandDrag,
  band: Band,
): void {
  const [firstColumn, lastColumn] = columnsBetween(...alongLine(scroller.current, band))
  const indexes = rowsInBox(geometry, { top: band.top, bottom: band.bottom, firstColumn, lastColumn })
  const change = isToggling ? toggleIndexes : selectIndexes
  selection.set((before) => change(clearSelection(before), rows, { indexes, kept }))
}

/** Returns the band's extent along the lines. In right-to-left scripts lines start at the right edge. */
function alongLine(
  element: HTMLElement | null,
  { left, right }: Band,
): readonly [start: number, end: number] {
  if (element === null || getComputedStyle(element).direction !== 'rtl') return [left, right]
  return [element.clientWidth - right, element.clientWidth - left]
}

/**
 * Returns by how many CSS pixels to scroll in one frame: the more, the closer to the edge or the further beyond it the
 * mouse is.
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
