import { useCallback, useSyncExternalStore } from 'react'

/** The media query for the window widths that use the mobile layout (specification 9). */
export const mobileQuery = '(max-width: 736px)'

/** The media query for window widths at which the sidebar is never shown in full, to leave room for the content. */
export const railQuery = '(max-width: 1024px)'

/** Returns whether a media query matches, and renders again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
