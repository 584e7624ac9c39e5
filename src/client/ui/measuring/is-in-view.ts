/** Returns true when a part of an element is between the upper and the lower edge of the element that scrolls it. */
export function isInView(scroller: Element, element: Element): boolean {
  const [view, { top, bottom }] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()]
  return top < view.bottom && bottom > view.top
}
