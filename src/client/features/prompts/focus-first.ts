/** Focuses an element when its dialog opens. Used as the element's `ref`. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus()
