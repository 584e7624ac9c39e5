import { useKeyScope } from '../../ui/keyboard/use-key-scope.ts'

/** The keyboard navigation between the pages of a comic, or between the chapters of a book. */
export type PageSteps = {
  readonly isRightToLeft: boolean
  /**
   * True when the content scrolls. Page Up, Page Down, Space and the vertical arrow keys then scroll it instead of
   * turning the page.
   */
  readonly isScrolling: boolean
  readonly onStep: (by: 1 | -1) => void
  /** Called for Home and End. */
  readonly onFirst: () => void
  readonly onLast: () => void
}

/** Makes the keys turn pages while the viewer is open. The arrow keys do not lead to other files then. */
export function usePageKeys(steps: PageSteps): void {
  useKeyScope('viewer', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return false
    const isPress = key === ' ' && target instanceof Element && target.closest('button, a') !== null
    return !isPress && runPageKey(steps, event)
  })
}

/** Returns false when the viewer does not use the key. */
function runPageKey(steps: PageSteps, { key, shiftKey }: KeyboardEvent): boolean {
  const { isRightToLeft, isScrolling, onStep, onFirst, onLast } = steps
  if (key === ' ' && !isScrolling) onStep(shiftKey ? -1 : 1)
  else if (shiftKey) return false
  else if (key === 'ArrowRight') onStep(isRightToLeft ? -1 : 1)
  else if (key === 'ArrowLeft') onStep(isRightToLeft ? 1 : -1)
  else if (key === 'Home') onFirst()
  else if (key === 'End') onLast()
  else if (!isScrolling && (key === 'PageDown' || key === 'ArrowDown')) onStep(1)
  else if (!isScrolling && (key === 'PageUp' || key === 'ArrowUp')) onStep(-1)
  else return false
  return true
}
