import { useLayoutEffect, useRef } from 'react'
import { mobileQuery, useMedia } from '../measuring/use-media.ts'
import type { MenuEntry } from './menu-entry.ts'
import { Menu } from './menu.tsx'

type PointerMenuProps = {
  /** The point in the window at which the menu opens, in CSS pixels. */
  readonly place: { readonly x: number; readonly y: number }
  readonly label: string
  readonly heading?: string | undefined
  readonly entries: readonly MenuEntry[]
  readonly onClose: () => void
}

/**
 * Renders a menu at a point of the window. The menu is beside the pointer and not below it, because React Aria then moves
 * a high menu up until it fits into the window.
 */
export function PointerMenu({ place, label, heading, entries, onClose }: PointerMenuProps) {
  const anchor = useRef<HTMLDivElement>(null)
  const isMobile = useMedia(mobileQuery)
  useReleaseGuard()
  return (
    <>
      <div ref={anchor} style={{ position: 'fixed', left: place.x, top: place.y }} />
      <Menu
        key={`${place.x} ${place.y}`}
        label={label}
        heading={heading}
        entries={entries}
        anchor={anchor}
        placement={isMobile ? 'bottom start' : 'end top'}
        isSheet
        onClose={onClose}
      />
    </>
  )
}

/**
 * Ignores the release of a finger that was down when the menu opened. After a long press, the browser would send a click to
 * whatever lies under the finger, which is an item of the menu by then. A new touch ends this.
 */
function useReleaseGuard(): void {
  useLayoutEffect(() => {
    const ending = new AbortController()
    const options = { capture: true, passive: false, signal: ending.signal }
    const end = (): void => ending.abort()
    const onRelease = (event: TouchEvent): void => {
      if (event.cancelable) event.preventDefault()
      end()
    }
    addEventListener('touchstart', end, options)
    addEventListener('touchcancel', end, options)
    addEventListener('touchend', onRelease, options)
    return end
  }, [])
}
