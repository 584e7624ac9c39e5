import { useEffect } from 'react'

/** Makes F6 and Shift+F6 move the focus between the regions of the page: header, sidebar, content, notices. */
export function useRegionKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F6' || event.defaultPrevented || event.ctrlKey || event.altKey) return
      event.preventDefault()
      focusRegion(event.shiftKey ? -1 : 1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function focusRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.closest('[inert]') === null && region.getClientRects().length > 0,
  )
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  const next = at < 0 ? 0 : (at + step + regions.length) % regions.length
  const region = regions[next]
  const inside = region?.querySelector<HTMLElement>('[tabindex="0"], a[href], button:not(:disabled), input')
  ;(inside ?? region)?.focus()
}
