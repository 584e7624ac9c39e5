import { type GridGeometry, type RowRange, rowsBetween } from './geometry.ts'
import { contentTopOf, type ScrollExtent, type ScrollPosition } from './scroll-position.ts'

/** The positions of the rows, and the sizes of the content and the view. */
export type ContentLayout = { readonly geometry: GridGeometry; readonly extent: ScrollExtent }

/**
 * The position for which rows are rendered. `top` is the start of a step, and `offset` is that of the scroll position.
 * After a jump, `jumpTop` is the exact top of the view until the rows around the view are rendered as well. It is null
 * at other times.
 */
export type RenderedPosition = {
  readonly top: number
  readonly offset: number
  readonly jumpTop: number | null
}

export const startOfContent: RenderedPosition = { top: 0, offset: 0, jumpTop: null }

/** The range of rendered rows moves in steps of this many lines, so that most scroll events cause no rendering. */
const stepLines = 6
/** The extra area that is rendered above the view, and again below it, as a fraction of the view's height. */
const overscanViews = 0.5

/** A move of the view. `isJump` is true when the content has changed, too. */
type ViewMove = { readonly from: ScrollPosition; readonly to: ScrollPosition; readonly isJump: boolean }

/**
 * Returns the position to render after a move of the view. A move to rows that are not rendered yet is a jump as well.
 */
export function renderedAt({ geometry, extent }: ContentLayout, move: ViewMove): RenderedPosition {
  const step = stepOf(geometry)
  const top = contentTopOf(move.to)
  const distance = Math.abs(top - contentTopOf(move.from))
  const isJump = move.isJump || distance > step + extent.viewHeight * (1 + overscanViews)
  return {
    top: Math.floor(top / step) * step,
    offset: move.to.offset,
    jumpTop: isJump ? top : null,
  }
}

/** Returns the position after the rows around the view of a jump are rendered. */
export const withRowsAround = (position: RenderedPosition): RenderedPosition => ({
  ...position,
  jumpTop: null,
})

export const isSamePosition = (a: RenderedPosition, b: RenderedPosition): boolean =>
  a.top === b.top && a.offset === b.offset && a.jumpTop === b.jumpTop

/**
 * Returns the rows in a view that begins somewhere in the step at `top`, and those in the overscan around it. After a
 * jump, returns only the rows in the view, so that the user sees them as early as possible.
 */
export function renderedRows(
  { top, jumpTop }: RenderedPosition,
  { geometry, extent: { viewHeight } }: ContentLayout,
): RowRange {
  if (jumpTop !== null) return rowsBetween(geometry, jumpTop, jumpTop + viewHeight)
  const overscan = viewHeight * overscanViews
  return rowsBetween(geometry, top - overscan, top + stepOf(geometry) + viewHeight + overscan)
}

const stepOf = ({ lineHeight }: GridGeometry): number => lineHeight * stepLines
