/** As a `ref`: gives an element the focus when its dialog opens. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus()
