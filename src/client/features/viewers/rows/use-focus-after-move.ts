import { useEffect, useRef } from 'react'

/** Returns a function that gives the focus to the element with `data-active` in an area after the next rendering with it. */
export function useFocusAfterMove(area: { readonly current: HTMLElement | null }): () => void {
  const isWanted = useRef(false)
  useEffect(() => {
    if (!isWanted.current) return
    const active = area.current?.querySelector<HTMLElement>('[data-active]') ?? null
    isWanted.current = active === null
    active?.focus({ preventScroll: true })
  })
  return () => {
    isWanted.current = true
  }
}
