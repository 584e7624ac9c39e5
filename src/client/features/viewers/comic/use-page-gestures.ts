import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isInMiddle } from '../../../ui/file-frame/use-idle-mark.ts'

/** The shortest movement that is a swipe, and the longest one that is a click, in CSS pixels. */
const minSwipePx = 50
const maxClickPx = 8

/**
 * Turns pages by clicks on the halves of an element, and by swipes across it. A tap of a finger on the middle third shows and hides the
 * controls, and turns no page. `onTurn` gets true for a turn to the page on the right,
 * and is null where the pages scroll.
 */
export function usePageGestures(
  element: RefObject<HTMLElement | null>,
  onTurn: ((isToRight: boolean) => void) | null,
): void {
  const isOff = onTurn === null
  const turn = useEffectEvent((isToRight: boolean) => onTurn?.(isToRight))
  useEffect(() => {
    const area = element.current
    if (area === null || isOff) return undefined
    let from: { readonly x: number; readonly id: number } | null = null
    const onDown = ({ isPrimary, button, clientX, pointerId }: PointerEvent): void => {
      from = isPrimary && button === 0 ? { x: clientX, id: pointerId } : null
    }
    const onUp = ({ pointerId, pointerType, clientX }: PointerEvent): void => {
      const start = from
      from = null
      if (start === null || start.id !== pointerId) return
      const { left, width } = area.getBoundingClientRect()
      const moved = clientX - start.x
      const isTap = Math.abs(moved) <= maxClickPx
      if (isTap && pointerType === 'touch' && isInMiddle(area, clientX)) return
      const isToRight = isTap ? clientX > left + width / 2 : Math.abs(moved) >= minSwipePx ? moved < 0 : null
      if (isToRight !== null) turn(isToRight)
    }
    const onCancel = (): void => {
      from = null
    }
    const ending = new AbortController()
    const { signal } = ending
    area.addEventListener('pointerdown', onDown, { signal })
    area.addEventListener('pointerup', onUp, { signal })
    area.addEventListener('pointercancel', onCancel, { signal })
    return () => ending.abort()
  }, [element, isOff])
}
