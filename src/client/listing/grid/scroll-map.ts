/**
 * Browsers cap the height of an element (Chromium at 33,554,428 px, Firefox drops what is translated beyond 8,947,848 px), so
 * that above 8,000,000 px the scrolled height is clamped. `offset` is what the content is ahead of the scrollbar: small steps
 * leave it alone and are exact, jumps set it in proportion.
 */
export type ScrollPlace = { readonly scrollTop: number; readonly offset: number }

export type ScrollExtent = { readonly contentHeight: number; readonly viewHeight: number }

export const mostScrollHeight = 8_000_000

export const startPlace: ScrollPlace = { scrollTop: 0, offset: 0 }

/** The height that the scrolled element gets. */
export const scrollHeightOf = (contentHeight: number): number => Math.min(contentHeight, mostScrollHeight)

/** What of the content is at the top of the view. */
export const contentTopOf = ({ scrollTop, offset }: ScrollPlace): number => scrollTop + offset

/** The place after the scrollbar went to `scrollTop`. */
export function scrolledTo(from: ScrollPlace, scrollTop: number, extent: ScrollExtent): ScrollPlace {
  if (extent.contentHeight <= mostScrollHeight) return { scrollTop, offset: 0 }
  const isJump = Math.abs(scrollTop - from.scrollTop) > extent.viewHeight * 2
  const mostScroll = mostOf(scrollHeightOf(extent.contentHeight), extent)
  if (isJump || scrollTop <= 0 || scrollTop >= mostScroll) {
    return { scrollTop, offset: proportional(scrollTop, extent) - scrollTop }
  }
  const most = mostOf(extent.contentHeight, extent)
  return { scrollTop, offset: Math.min(Math.max(scrollTop + from.offset, 0), most) - scrollTop }
}

/** Where the scrollbar has to stand so that `contentTop` is at the top of the view. */
export function placeFor(contentTop: number, extent: ScrollExtent): ScrollPlace {
  const most = mostOf(extent.contentHeight, extent)
  const top = Math.min(Math.max(contentTop, 0), most)
  if (extent.contentHeight <= mostScrollHeight) return { scrollTop: top, offset: 0 }
  const scrollTop = Math.round((top / most) * mostOf(mostScrollHeight, extent))
  return { scrollTop, offset: top - scrollTop }
}

/**
 * Many small steps drift from the proportion, and the scrollbar would end before the content does. True when it is time to
 * put the scrollbar where the content is: near its ends, or anywhere once scrolling has paused.
 */
export function needsCorrection(place: ScrollPlace, extent: ScrollExtent, isPaused: boolean): boolean {
  if (extent.contentHeight <= mostScrollHeight) return false
  const right = placeFor(contentTopOf(place), extent).scrollTop
  const isNearEnd =
    place.scrollTop < extent.viewHeight ||
    place.scrollTop > mostOf(mostScrollHeight, extent) - extent.viewHeight
  return Math.abs(right - place.scrollTop) > (isPaused ? 1 : isNearEnd ? extent.viewHeight / 4 : Infinity)
}

/** The least scrolling that brings a stretch of the content into view, below what sticks to the top. */
export function topToShow(
  current: number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  viewHeight: number,
): number {
  if (top < current) return top
  return bottom > current + viewHeight ? bottom - viewHeight : current
}

const mostOf = (height: number, { viewHeight }: ScrollExtent): number => Math.max(height - viewHeight, 0)

function proportional(scrollTop: number, extent: ScrollExtent): number {
  const share = scrollTop / mostOf(mostScrollHeight, extent)
  return Math.min(Math.max(share, 0), 1) * mostOf(extent.contentHeight, extent)
}
