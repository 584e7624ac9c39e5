/** Returns true while the page is read from right to left. */
export const isRightToLeft = (): boolean => document.documentElement.dir === 'rtl'

/**
 * Returns the step of a horizontal arrow key in the reading direction: 1 for the key that points to the end of a line, -1
 * for the key that points to its start, and 0 for any other key.
 */
export function arrowStep(key: string): -1 | 0 | 1 {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0
  return (key === 'ArrowRight') === isRightToLeft() ? -1 : 1
}

/** Returns the edge of an element at which its lines start, as a distance from the left edge of the window in CSS pixels. */
export function startEdgeOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect()
  return isRightToLeft() ? right : left
}
