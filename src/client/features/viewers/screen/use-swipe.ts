import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isRightToLeft } from '../../../ui/direction/direction.ts'

/** The shortest movement of a finger that is a swipe, in CSS pixels. */
const minSwipePx = 60

export type SwipeTarget = 'previous' | 'next' | 'close'

/**
 * Calls `onSwipe` when a finger swipes across an element: to the side for the previous or the next file, and down to close
 * the file. An enlarged image is moved instead.
 */
export function useSwipe(element: RefObject<HTMLElement | null>, onSwipe: (to: SwipeTarget) => void): void {
  const finish = useEffectEvent(onSwipe)
  useEffect(() => {
    const area = element.current
    if (area === null) return undefined
    const fingers = new Map<number, { readonly x: number; readonly y: number }>()
    let isSwipe = false
    const onDown = ({ pointerType, pointerId, clientX, clientY, target }: PointerEvent): void => {
      if (pointerType !== 'touch') return
      fingers.set(pointerId, { x: clientX, y: clientY })
      const isTaken = target instanceof Element && target.closest('[data-zoomed], button, input') !== null
      isSwipe = fingers.size === 1 && !isTaken
    }
    const onUp = ({ pointerId, clientX, clientY }: PointerEvent): void => {
      const from = fingers.get(pointerId)
      fingers.delete(pointerId)
      const to = from === undefined ? null : swipeOf(clientX - from.x, clientY - from.y)
      if (isSwipe && to !== null) finish(to)
      isSwipe = false
    }
    const onCancel = ({ pointerId }: PointerEvent): void => void fingers.delete(pointerId)
    const ending = new AbortController()
    const { signal } = ending
    area.addEventListener('pointerdown', onDown, { signal })
    area.addEventListener('pointerup', onUp, { signal })
    area.addEventListener('pointercancel', onCancel, { signal })
    return () => ending.abort()
  }, [element])
}

function swipeOf(x: number, y: number): SwipeTarget | null {
  if (Math.abs(x) > Math.max(minSwipePx, 2 * Math.abs(y)))
    return x > 0 === isRightToLeft() ? 'next' : 'previous'
  return y > Math.max(minSwipePx, 2 * Math.abs(x)) ? 'close' : null
}
