/** As a `ref`: this part of a dialog has the focus when it opens. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus()
