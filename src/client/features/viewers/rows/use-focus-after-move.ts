import { useLayoutEffect, useRef } from 'react'

/**
 * Returns a function that gives the focus to the element with `data-active` in an area after the next rendering with it.
 * A layout effect does so, because the effects of an earlier rendering can run after the key that wants the next one. They
 * would give the focus back to the row that was active before.
 */
export function useFocusAfterMove(area: { readonly current: HTMLElement | null }): () => void {
  const isWanted = useRef(false)
  useLayoutEffect(() => {
    if (!isWanted.current) return
    const active = area.current?.querySelector<HTMLElement>('[data-active]') ?? null
    isWanted.current = active === null
    active?.focus({ preventScroll: true })
  })
  return () => {
    isWanted.current = true
  }
}
