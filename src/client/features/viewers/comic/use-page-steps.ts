import { type RefObject, useEffect, useRef } from 'react'
import { isKeyTaken, isTextField } from '../../../actions/action-keys.ts'

/** How the user goes through the pages of a comic. */
export type PageSteps = {
  readonly isRightToLeft: boolean
  /** True when the pages scroll, so that the keys for a part of the screen keep their meaning. */
  readonly isStrip: boolean
  readonly onStep: (by: 1 | -1) => void
  readonly onFirst: () => void
  readonly onLast: () => void
}

/** Turns pages with the keys of the whole page, in the place of the other files of the folder. */
export function usePageKeys(steps: PageSteps): void {
  const latest = useLatest(steps)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isKeyTaken(event) || isTextField(event.target)) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === ' ' && event.target instanceof Element && event.target.closest('button, a') !== null)
        return
      if (runPageKey(latest.current, event)) event.preventDefault()
    }
    // The frame of the open file has the same keys. The capturing phase is earlier.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [latest])
}

/** Returns false when the comic does not use the key. */
function runPageKey(steps: PageSteps, { key, shiftKey }: KeyboardEvent): boolean {
  const { isRightToLeft, isStrip, onStep, onFirst, onLast } = steps
  if (key === ' ' && !isStrip) onStep(shiftKey ? -1 : 1)
  else if (shiftKey) return false
  else if (key === 'ArrowRight') onStep(isRightToLeft ? -1 : 1)
  else if (key === 'ArrowLeft') onStep(isRightToLeft ? 1 : -1)
  else if (key === 'Home') onFirst()
  else if (key === 'End') onLast()
  else if (!isStrip && (key === 'PageDown' || key === 'ArrowDown')) onStep(1)
  else if (!isStrip && (key === 'PageUp' || key === 'ArrowUp')) onStep(-1)
  else return false
  return true
}

/** The shortest movement that is a swipe, and the longest one that is a click, in CSS pixels. */
const minSwipePx = 50
const maxClickPx = 8

/** Turns pages by clicks on the halves of an element, and by swipes across it. */
export function usePageGestures(element: RefObject<HTMLElement | null>, steps: PageSteps): void {
  const latest = useLatest(steps)
  const { isStrip } = steps
  useEffect(() => {
    const area = element.current
    if (area === null || isStrip) return undefined
    let from: { readonly x: number; readonly id: number } | null = null
    const onDown = ({ isPrimary, button, clientX, pointerId }: PointerEvent): void => {
      from = isPrimary && button === 0 ? { x: clientX, id: pointerId } : null
    }
    const onUp = ({ pointerId, clientX }: PointerEvent): void => {
      const start = from
      from = null
      if (start === null || start.id !== pointerId) return
      const { left, width } = area.getBoundingClientRect()
      const moved = clientX - start.x
      const isToRight =
        Math.abs(moved) <= maxClickPx
          ? clientX > left + width / 2
          : Math.abs(moved) >= minSwipePx
            ? moved < 0
            : null
      if (isToRight !== null) latest.current.onStep(isToRight === latest.current.isRightToLeft ? -1 : 1)
    }
    const onCancel = (): void => {
      from = null
    }
    area.addEventListener('pointerdown', onDown)
    area.addEventListener('pointerup', onUp)
    area.addEventListener('pointercancel', onCancel)
    return () => {
      area.removeEventListener('pointerdown', onDown)
      area.removeEventListener('pointerup', onUp)
      area.removeEventListener('pointercancel', onCancel)
    }
  }, [element, isStrip, latest])
}

function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
