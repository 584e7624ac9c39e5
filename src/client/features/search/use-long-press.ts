import { type RefObject, useEffect, useRef } from 'react'
import type { Path } from '../../../shared/domain/path.ts'

/** The time that a finger rests on a result until it is selected, in milliseconds, as in the listing. */
const longPressMs = 500
/** A touch that moves further than this many CSS pixels is scrolling, not a long press. */
const maxStillPx = 10

/**
 * Calls `onLongPress` when a finger rests on a result. The click and the menu of the browser that follow the press are
 * suppressed.
 */
export function useLongPress(list: RefObject<HTMLElement | null>, onLongPress: (path: Path) => void): void {
  const latest = useRef(onLongPress)
  useEffect(() => {
    latest.current = onLongPress
  })
  useEffect(() => {
    const target = list.current
    if (target === null) return undefined
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let from = { x: 0, y: 0 }
    let isTouch = false
    let isHandled = false
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ): void => target.addEventListener(type, listener, { signal: ending.signal, capture: true })
    const suppress = (event: Event): void => {
      event.preventDefault()
      event.stopPropagation()
    }
    on('pointerdown', (event) => {
      isTouch = event.pointerType === 'touch'
      isHandled = false
      clearTimeout(timer)
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-found]') : null
      const path = row?.dataset['path']
      if (!isTouch || path === undefined) return
      from = { x: event.clientX, y: event.clientY }
      timer = setTimeout(() => {
        isHandled = true
        latest.current(path as Path)
        navigator.vibrate?.(10)
      }, longPressMs)
    })
    on('pointermove', (event) => {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > maxStillPx) clearTimeout(timer)
    })
    on('pointerup', () => clearTimeout(timer))
    on('pointercancel', () => clearTimeout(timer))
    on('contextmenu', (event) => {
      if (isTouch) suppress(event)
    })
    on('click', (event) => {
      if (isHandled) suppress(event)
    })
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [list])
}
