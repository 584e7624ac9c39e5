/**
 * Keeps the end of each shortened name directly behind its ellipsis. The browser shortens the start of a name after
 * the last whole character that fits, which would leave a gap of up to the width of a character. Returns a function that
 * stops.
 */
export function closeNameGaps(area: Element): () => void {
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      if (target.isConnected) closeGap(target as HTMLElement)
      else sizes.unobserve(target)
    }
  })
  const observeIn = (node: Node): void => {
    if (!(node instanceof Element)) return
    for (const start of node.querySelectorAll('[data-part="name-start"]')) sizes.observe(start)
  }
  const rows = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      addedNodes.forEach(observeIn)
      const start = target.parentElement
      if (type === 'characterData' && start?.dataset['part'] === 'name-start') closeGap(start)
    }
  })
  observeIn(area)
  rows.observe(area, { childList: true, characterData: true, subtree: true })
  return () => {
    sizes.disconnect()
    rows.disconnect()
  }
}

/** Moves the end of one name by the width of the gap. Does nothing for a name that fits, and for an end in a line of its own. */
function closeGap(start: HTMLElement): void {
  const end = start.nextElementSibling
  const text = start.firstChild
  if (!(end instanceof HTMLElement) || text === null) return
  const isShortened = start.scrollWidth > start.clientWidth && start.offsetTop === end.offsetTop
  const gapPx = isShortened ? gapOf(start, text) : 0
  const isRightToLeft = getComputedStyle(start).direction === 'rtl'
  end.style.translate = gapPx === 0 ? '' : `${isRightToLeft ? gapPx : -gapPx}px`
}

/** Returns the empty width between the ellipsis and the end of the start of a name, in CSS pixels. */
function gapOf(start: HTMLElement, text: Node): number {
  const roomPx = start.getBoundingClientRect().width - ellipsisWidth(start)
  const range = document.createRange()
  range.setStart(text, 0)
  const widthOf = (length: number): number => {
    range.setEnd(text, length)
    return range.getBoundingClientRect().width
  }
  // Binary search for the number of characters that fit.
  let [fits, tooMany] = [0, text.textContent?.length ?? 0]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (widthOf(middle) <= roomPx) fits = middle
    else tooMany = middle
  }
  return Math.max(Math.round(roomPx - widthOf(fits)), 0)
}

const canvas = document.createElement('canvas').getContext('2d')

function ellipsisWidth(element: HTMLElement): number {
  if (canvas === null) return 0
  canvas.font = getComputedStyle(element).font
  return canvas.measureText('…').width
}
