import { useCallback, useSyncExternalStore } from 'react'

/** The width up to which the mobile layout holds (specification 9). */
export const mobileQuery = '(max-width: 736px)'

/** Whether a media query matches now. */
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
