/** A place in a chapter: an element by its position among all elements, or by its id. */
export type ChapterTarget =
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'fragment'; readonly id: string }

/** A place in a book. Each way to a place is a new object, also when it leads to the same place again. */
export type BookPlace = { readonly chapter: number; readonly target: ChapterTarget }

/** The distance from the upper edge of the area at which the first visible element is looked for, in CSS pixels. */
const probesPx = [4, 20, 40, 70, 110] as const

/** Returns the index of the first visible element of a chapter among all its elements. 0 is the beginning. */
export function visibleElement(article: HTMLElement, area: HTMLElement): number {
  const root = article.getRootNode()
  if (area.scrollTop < 8 || !(root instanceof ShadowRoot)) return 0
  const { left, top, width } = area.getBoundingClientRect()
  const elements = [...article.querySelectorAll('*')]
  for (const probePx of probesPx) {
    const element = root.elementFromPoint(left + width / 2, top + probePx)
    const index = element === null ? -1 : elements.indexOf(element)
    if (index !== -1) return index
  }
  return 0
}

/** Scrolls to a place in a chapter. A place that does not exist is the beginning. */
export function scrollToTarget(article: HTMLElement, area: HTMLElement, target: ChapterTarget): void {
  const element =
    target.kind === 'fragment'
      ? article.querySelector(`[id="${CSS.escape(target.id)}"]`)
      : target.index === 0
        ? null
        : article.querySelectorAll('*')[target.index]
  if (element) element.scrollIntoView({ block: 'start' })
  else area.scrollTop = 0
}
