import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** Returns the buttons of a bar that are visible. */
export const visibleButtons = (bar: HTMLElement): readonly HTMLButtonElement[] =>
  [...bar.querySelectorAll('button')].filter(isVisible)

const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })

/** Returns true for two elements of the document of which the first is before the second. */
const isBefore = (first: Element, second: Element): boolean =>
  first.isConnected && (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

/** The button of a bar that has the focus, with its index among the visible buttons. */
type FocusedButton = { readonly element: Element; readonly at: number }

/**
 * Keeps the focus in a bar when the button that has it goes or is hidden: the next visible button gets the focus, or the one at its place.
 * Returns the listeners of the bar, and a function that has to be called after buttons were hidden between two renderings.
 */
export function useFocusInBar(bar: RefObject<HTMLElement | null>) {
  const focused = useRef<FocusedButton | null>(null)
  const keepFocus = (): void => {
    if (bar.current === null || focused.current === null) return
    const { element, at } = focused.current
    const buttons = visibleButtons(bar.current)
    const now = buttons.findIndex((button) => button === element)
    focused.current = now === -1 ? null : { element, at: now }
    const { activeElement } = document
    if (now !== -1 || (activeElement !== document.body && activeElement !== element)) return
    const next =
      buttons.find((button) => isBefore(element, button)) ?? buttons[Math.min(at, buttons.length - 1)]
    next?.focus({ preventScroll: true })
  }
  useLayoutEffect(keepFocus)
  return {
    keepFocus,
    listeners: {
      onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
        const at = visibleButtons(currentTarget).findIndex((button) => button === target)
        focused.current = at === -1 ? null : { element: target, at }
      },
      // A browser may also report a lost focus when it removes the focused button. The microtask runs after the removal.
      onBlur: ({ target }: FocusEvent<HTMLElement>) =>
        queueMicrotask(() => {
          if (isVisible(target) && focused.current?.element === target) focused.current = null
        }),
    },
  }
}
