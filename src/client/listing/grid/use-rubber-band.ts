import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { emptySet, type RowSet } from '../../state/row-set.ts'
import {
  clearSelection,
  type RowOrder,
  selectIndexes,
  selection,
  toggleIndexes,
} from '../../state/selection.ts'
import { type Geometry, rowsInBox } from './geometry.ts'

/** A stretched rectangle in the content: CSS pixels from its start, down and along the lines. */
export type Band = {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export type RubberBandNeeds = {
  readonly scroller: RefObject<HTMLElement | null>
  readonly rows: RowOrder
  readonly geometry: Geometry
  /** The columns that a stretch of the content's width touches. */
  readonly columnsBetween: (left: number, right: number) => readonly [first: number, last: number]
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
  /** What sticks to the top of the view. */
  readonly headerHeight: number
}

type Stretch = {
  readonly kept: RowSet
  readonly isToggling: boolean
  readonly x: number
  readonly y: number
  isStretched: boolean
  clientX: number
  clientY: number
}

const startPx = 4
const edgePx = 56
const [leastStep, mostStep] = [8, 40]

/** Chooses rows by stretching a rectangle over them, with the mouse, from where nothing else begins. */
export function useRubberBand(needs: RubberBandNeeds): {
  readonly band: Band | null
  readonly begin: (event: ReactPointerEvent<HTMLElement>) => void
} {
  const [band, setBand] = useState<Band | null>(null)
  const latest = useRef(needs)
  useEffect(() => {
    latest.current = needs
  })
  const end = useRef<(() => void) | null>(null)
  useEffect(() => () => end.current?.(), [])

  const begin = (event: ReactPointerEvent<HTMLElement>): void => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || !isFree(event.target as Element)) return
    const origin = contentPoint(latest.current, event)
    if (origin === null) return
    const { shiftKey, ctrlKey, metaKey } = event
    const isToggling = ctrlKey || metaKey
    const stretch: Stretch = {
      ...origin,
      kept: shiftKey || isToggling ? selection.get().chosen : emptySet,
      isToggling,
      isStretched: false,
      clientX: event.clientX,
      clientY: event.clientY,
    }
    end.current?.()
    end.current = follow(latest, stretch, setBand)
  }
  return { band, begin }
}

function follow(
  latest: RefObject<RubberBandNeeds>,
  stretch: Stretch,
  setBand: (band: Band | null) => void,
): () => void {
  let frame = 0
  const draw = (): void => {
    const band = bandOf(latest.current, stretch)
    if (band === null) return
    setBand(band)
    choose(latest.current, stretch, band)
  }
  const scroll = (): void => {
    const step = stretch.isStretched ? edgeStep(latest.current, stretch.clientY) : 0
    if (step !== 0) {
      latest.current.scrollTo(latest.current.topPx() + step)
      draw()
    }
    frame = requestAnimationFrame(scroll)
  }
  const move = ({ clientX, clientY }: PointerEvent): void => {
    stretch.isStretched ||= Math.hypot(clientX - stretch.clientX, clientY - stretch.clientY) > startPx
    if (!stretch.isStretched) return
    stretch.clientX = clientX
    stretch.clientY = clientY
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
    if (stretch.isStretched) swallowClick()
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', finish)
  addEventListener('pointercancel', stop)
  frame = requestAnimationFrame(scroll)
  return stop
}

const swallow = (event: Event): void => event.stopPropagation()

/** The click that ends the stretching is none; it follows at once, if at all. */
function swallowClick(): void {
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}

/** Names, glyphs, check boxes and buttons have gestures of their own, and the scrollbar is the browser's. */
const isFree = (target: Element): boolean =>
  target.closest('[data-part="name"], [data-part="check"], svg, button, [role="columnheader"]') === null

function contentPoint(
  { scroller, topPx, headerHeight }: RubberBandNeeds,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): { readonly x: number; readonly y: number } | null {
  const element = scroller.current
  if (element === null) return null
  const box = element.getBoundingClientRect()
  const x = clientX - box.left - element.clientLeft
  return x < 0 || x > element.clientWidth ? null : { x, y: clientY - box.top - headerHeight + topPx() }
}

function bandOf(needs: RubberBandNeeds, stretch: Stretch): Band | null {
  const point = contentPoint(needs, stretch)
  if (!stretch.isStretched || point === null) return null
  return {
    top: Math.min(stretch.y, point.y),
    bottom: Math.max(stretch.y, point.y),
    left: Math.min(stretch.x, point.x),
    right: Math.max(stretch.x, point.x),
  }
}

function choose(
  { scroller, rows, geometry, columnsBetween }: RubberBandNeeds,
  { kept, isToggling }: Stretch,
  band: Band,
): void {
  const [firstColumn, lastColumn] = columnsBetween(...alongLine(scroller.current, band))
  const indexes = rowsInBox(geometry, { top: band.top, bottom: band.bottom, firstColumn, lastColumn })
  const change = isToggling ? toggleIndexes : selectIndexes
  selection.set((now) => change(clearSelection(now), rows, { indexes, kept }))
}

/** The band from where lines start: at the right where one reads from right to left. */
function alongLine(
  element: HTMLElement | null,
  { left, right }: Band,
): readonly [start: number, end: number] {
  if (element === null || getComputedStyle(element).direction !== 'rtl') return [left, right]
  return [element.clientWidth - right, element.clientWidth - left]
}

/** How far to scroll in a frame: faster, the nearer the pointer is to the edge or the further beyond it. */
function edgeStep({ scroller, headerHeight }: RubberBandNeeds, clientY: number): number {
  const box = scroller.current?.getBoundingClientRect()
  if (box === undefined) return 0
  const above = box.top + headerHeight + edgePx - clientY
  const below = clientY - (box.bottom - edgePx)
  const depth = Math.max(above, below)
  if (depth <= 0) return 0
  const step = Math.min(leastStep + (depth / edgePx) * (mostStep - leastStep), mostStep)
  return above > below ? -step : step
}
