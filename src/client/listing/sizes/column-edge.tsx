import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { t, type PlainMessageId } from '../../i18n/translate.ts'
import type { SizedColumn } from './column-widths.ts'
import { fittingTracks, minColumnRem, resizeColumn } from './resize-column.ts'
import { arrowStep, isRightToLeft } from '../../ui/direction/direction.ts'
import styles from './column-edge.module.css'

/** One press of an arrow key moves the edge by this many CSS pixels. */
const keyStepPx = 8

/**
 * Renders the edge at the end of a column heading. Dragging it and the arrow keys resize the column, a double click fits
 * the column to the rows in the document, and Home restores the initial width.
 */
export function ColumnEdge({ by, label }: { readonly by: SizedColumn; readonly label: PlainMessageId }) {
  const edge = useRef<HTMLSpanElement>(null)
  const widthPx = useColumnWidth(edge)
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    trackDrag(event.currentTarget, by, event.clientX)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLSpanElement>): void => {
    const step = stepOfKey(event)
    if (step === null && event.key !== 'Home') return
    event.preventDefault()
    event.stopPropagation()
    resizeColumn(by, step === null ? null : (widthOf(event.currentTarget) + step) / remPx())
  }
  return (
    <span
      ref={edge}
      role="separator"
      className={styles.edge}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('listing.columnWidth', { column: t(label) })}
      aria-valuenow={Math.round(widthPx)}
      aria-valuemin={Math.round(minColumnRem[by] * 16)}
      aria-valuemax={Math.max(Math.round(widthPx), window.innerWidth)}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={(event) => fitColumn(event.currentTarget, by)}
    />
  )
}

/** Resizes a column while the pointer that pressed its edge moves. */
function trackDrag(edge: HTMLElement, by: SizedColumn, fromX: number): void {
  const startPx = widthOf(edge)
  const direction = isRightToLeft() ? -1 : 1
  const move = ({ clientX }: globalThis.PointerEvent): void =>
    resizeColumn(by, (startPx + (clientX - fromX) * direction) / remPx())
  const stop = (): void => {
    edge.removeEventListener('pointermove', move)
    edge.removeEventListener('lostpointercapture', stop)
  }
  edge.addEventListener('pointermove', move)
  edge.addEventListener('lostpointercapture', stop)
}

/** Returns the change of the width for an arrow key in CSS pixels, or null for any other key. */
function stepOfKey({ key }: KeyboardEvent<HTMLElement>): number | null {
  return arrowStep(key) === 0 ? null : arrowStep(key) * keyStepPx
}

/** Sets a column to the largest natural width among its heading and the rows in the document. */
function fitColumn(edge: HTMLElement, by: SizedColumn): void {
  const list = edge.closest('[role="grid"]')?.parentElement
  if (!list) return
  const heading = edge.parentElement
  const cell = [...(heading?.parentElement?.children ?? [])].indexOf(heading as Element)
  const before = list.style.getPropertyValue('--columns')
  list.style.setProperty('--columns', fittingTracks(by).join(' '))
  const widths = [...list.querySelectorAll('[role="row"]')].map(
    (row) => row.children[cell]?.getBoundingClientRect().width ?? 0,
  )
  list.style.setProperty('--columns', before)
  resizeColumn(by, Math.ceil(Math.max(...widths)) / remPx())
}

const widthOf = (edge: HTMLElement): number => edge.parentElement?.getBoundingClientRect().width ?? 0
const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Follows the width of the heading that contains the edge, in CSS pixels. */
function useColumnWidth(edge: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0)
  useEffect(() => {
    const heading = edge.current?.parentElement
    if (heading === null || heading === undefined) return undefined
    const observer = new ResizeObserver(() => setWidthPx(heading.getBoundingClientRect().width))
    observer.observe(heading)
    return () => observer.disconnect()
  }, [edge])
  return widthPx
}
