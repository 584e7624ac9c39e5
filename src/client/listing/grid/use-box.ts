import { type RefObject, useLayoutEffect, useState } from 'react'

export type Box = { readonly width: number; readonly height: number }

/** The inner size of an element, kept up to date; null until it is known. */
export function useBox(element: RefObject<HTMLElement | null>): Box | null {
  const [box, setBox] = useState<Box | null>(null)
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const measure = (): void => {
      const next = { width: target.clientWidth, height: target.clientHeight }
      setBox((was) => (was?.width === next.width && was.height === next.height ? was : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return box
}
