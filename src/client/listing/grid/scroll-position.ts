/**
 * A scroll position in content of any height. Browsers limit the height of an element: Chromium caps it at 33,554,428
 * px, and Firefox drops elements that are translated beyond 8,947,848 px. The height of the scrolled element is
 * therefore limited to 8,000,000 px. `offset` is the number of pixels by which the content is ahead of the scrollbar.
 * Small scroll steps keep the offset and are exact. Jumps set the offset in proportion to the scrollbar's position.
 */
export type ScrollPosition = { readonly scrollTop: number; readonly offset: number }

export type ScrollExtent = { readonly contentHeight: number; readonly viewHeight: number }

export const maxScrollHeight = 8_000_000

export const startPosition: ScrollPosition = { scrollTop: 0, offset: 0 }

/** Returns the height of the scrolled element for content of the given height. */
export const scrollHeightOf = (contentHeight: number): number => Math.min(contentHeight, maxScrollHeight)

/** Returns the distance of the top of the view from the start of the content. */
export const contentTopOf = ({ scrollTop, offset }: ScrollPosition): number => scrollTop + offset

/** Returns the position after the scrollbar moved to `scrollTop`. */
export function scrolledTo(from: ScrollPosition, scrollTop: number, extent: ScrollExtent): ScrollPosition {
  if (extent.contentHeight <= maxScrollHeight) return { scrollTop, offset: 0 }
  const isJump = Math.abs(scrollTop - from.scrollTop) > extent.viewHeight * 2
  const maxScroll = maxScrollTop(scrollHeightOf(extent.contentHeight), extent)
  if (isJump || scrollTop <= 0 || scrollTop >= maxScroll) {
    return { scrollTop, offset: proportional(scrollTop, extent) - scrollTop }
  }
  const maxTop = maxScrollTop(extent.contentHeight, extent)
  return { scrollTop, offset: Math.min(Math.max(scrollTop + from.offset, 0), maxTop) - scrollTop }
}

/** Returns the scroll position at which `contentTop` is at the top of the view. */
export function positionShowing(contentTop: number, extent: ScrollExtent): ScrollPosition {
  const maxTop = maxScrollTop(extent.contentHeight, extent)
  const top = Math.min(Math.max(contentTop, 0), maxTop)
  if (extent.contentHeight <= maxScrollHeight) return { scrollTop: top, offset: 0 }
  const scrollTop = Math.round((top / maxTop) * maxScrollTop(maxScrollHeight, extent))
  return { scrollTop, offset: top - scrollTop }
}

/**
 * Returns true when the scrollbar has to be moved to match the content. This is the case near the ends of the
 * scrollbar, and at any position once scrolling has paused. Without the correction, the scrollbar would reach its end
 * before the content after many small steps.
 */
export function needsCorrection(place: ScrollPosition, extent: ScrollExtent, isPaused: boolean): boolean {
  if (extent.contentHeight <= maxScrollHeight) return false
  const right = positionShowing(contentTopOf(place), extent).scrollTop
  const isNearEnd =
    place.scrollTop < extent.viewHeight ||
    place.scrollTop > maxScrollTop(maxScrollHeight, extent) - extent.viewHeight
  return Math.abs(right - place.scrollTop) > (isPaused ? 1 : isNearEnd ? extent.viewHeight / 4 : Infinity)
}

/**
 * Returns the scroll position that is closest to the current position and shows the part of the content from `top` to
 * `bottom`.
 */
export function topToShow(
  current: number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  viewHeight: number,
): number {
  if (top < current) return top
  return bottom > current + viewHeight ? bottom - viewHeight : current
}

const maxScrollTop = (height: number, { viewHeight }: ScrollExtent): number =>
  Math.max(height - viewHeight, 0)

function proportional(scrollTop: number, extent: ScrollExtent): number {
  const share = scrollTop / maxScrollTop(maxScrollHeight, extent)
  return Math.min(Math.max(share, 0), 1) * maxScrollTop(extent.contentHeight, extent)
}
