import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in the tray when the button that has it disappears, for example because its upload has ended. The focus
 * goes to the list of the uploads if the button was in it, and else to the button that opens the tray. Returns the
 * listeners of the tray.
 */
export function useKeptFocus(pill: RefObject<HTMLButtonElement | null>) {
  const focused = useRef<HTMLElement | null>(null)
  const list = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return
    focused.current = null
    if (document.activeElement !== document.body && document.activeElement !== null) return
    const place = list.current?.isConnected ? list.current : pill.current
    place?.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      focused.current = target
      list.current = target.closest('[data-part="upload-rows"]')
    },
    // A browser may also report a lost focus when it removes the focused element. The microtask runs after the removal.
    onBlur: ({ target }: FocusEvent<HTMLElement>) =>
      queueMicrotask(() => {
        if (target.isConnected && focused.current === target) focused.current = null
      }),
  }
}
