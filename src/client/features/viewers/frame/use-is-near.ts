import { useEffect, useState } from 'react'

/** Returns true while an element is at most one height of the window away from the visible area. */
export function useIsNear(element: { readonly current: Element | null }): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (element.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '100% 0px', scrollMargin: '100% 0px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isNear
}
