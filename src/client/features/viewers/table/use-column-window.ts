import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { type ColumnGeometry, type ColumnRange, columnsInView, scrollToColumn } from './column-geometry.ts'
import { isRightToLeft } from '../../../ui/direction/direction.ts'

type ColumnWindow = {
  /** The columns to render: the visible columns and a few columns beside them. */
  readonly range: ColumnRange
  /** Scrolls by the shortest distance that brings a column into view. */
  readonly show: (column: number) => void
}

/** Follows the horizontal scrolling of an element and computes which columns have to be rendered. */
export function useColumnWindow(
  scroller: RefObject<HTMLElement | null>,
  geometry: ColumnGeometry,
  widthPx: number,
): ColumnWindow {
  const [scrolledPx, setScrolledPx] = useState(0)
  const range = columnsInView(geometry, scrolledPx, widthPx)
  const follow = useEffectEvent((scrolledPx: number): void => {
    const next = columnsInView(geometry, scrolledPx, widthPx)
    if (next.first !== range.first || next.end !== range.end) setScrolledPx(scrolledPx)
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const onScroll = (): void => follow(scrolledOf(element))
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [scroller])
  const show = (column: number): void => {
    const element = scroller.current
    if (element === null) return
    const to = scrollToColumn(geometry, column, { scrolledPx: scrolledOf(element), widthPx })
    const left = isRightToLeft() ? -to : to
    element.scrollTo({ left, behavior: 'instant' })
  }
  return { range, show }
}

/** Returns how far an element is scrolled from the start of its lines. In right-to-left languages `scrollLeft` is negative. */
const scrolledOf = ({ scrollLeft }: HTMLElement): number => Math.abs(scrollLeft)
