import { type RefObject, useEffect } from 'react'
import { keyPressed } from '../keyboard/key-scopes.ts'

/** The controls above a picture or a film are hidden after this time without a movement of the pointer, in milliseconds (specification 2). */
const hideAfterMs = 1500

/** The largest movement of a finger that is a tap, in CSS pixels. */
const maxTapPx = 8

/** The longest time between the two taps of a double tap, in milliseconds. A double tap zooms, and leaves the controls as they are. */
const doubleTapMs = 250

/** The elements that use a tap themselves. */
const controls = 'a, button, input, select, [role="toolbar"], [role="slider"]'

type IdleMarkOptions = {
  /** False where the frame has no controls that fade. */
  readonly isOn: boolean
  /** True where keys bring the controls back, because they change what the controls show. */
  readonly wakesByKeys: boolean
  /** True where a screen without a mouse shows the controls until the first tap, because nothing else says what is shown. */
  readonly isShownFirst?: boolean
}

/**
 * Marks a frame as idle with the attribute `data-idle` while the mouse rests, so that a style sheet can hide its controls. It leaves
 * visible what has the focus of the keyboard, and open menus. On screens without a mouse, the frame is idle from the start unless
 * `isShownFirst` is true, and a tap on its content changes the mark.
 */
export function useIdleMark(
  frame: RefObject<HTMLElement | null>,
  { isOn, wakesByKeys, isShownFirst = false }: IdleMarkOptions,
): void {
  useEffect(() => {
    const element = frame.current
    // A film that is open on the whole screen fades with the bar of its file.
    const outer = element?.parentElement?.closest('[data-whole-screen]') ?? null
    if (element === null || !isOn || outer !== null) return undefined
    const timers: Record<'sleep' | 'tap', ReturnType<typeof setTimeout> | undefined> = {
      sleep: undefined,
      tap: undefined,
    }
    const sleep = (): void => element.setAttribute('data-idle', '')
    const wake = (): void => {
      clearTimeout(timers.sleep)
      element.removeAttribute('data-idle')
    }
    const wakeForMoment = (): void => {
      wake()
      timers.sleep = setTimeout(sleep, hideAfterMs)
    }
    const onTap = (): void => {
      const isSecond = timers.tap !== undefined
      clearTimeout(timers.tap)
      timers.tap = isSecond
        ? undefined
        : setTimeout(() => {
            timers.tap = undefined
            if (element.hasAttribute('data-idle')) wake()
            else sleep()
          }, doubleTapMs)
    }
    const abort = new AbortController()
    const listener = { passive: true, signal: abort.signal }
    element.addEventListener('pointermove', forMice(wakeForMoment), listener)
    element.addEventListener('pointerleave', forMice(sleep), listener)
    listenToTaps(element, onTap, abort.signal)
    const stopKeys = wakesByKeys ? keyPressed.subscribe(wakeForMoment) : null
    if (!matchMedia('(hover: none)').matches) wakeForMoment()
    else if (!isShownFirst) sleep()
    return () => {
      abort.abort()
      stopKeys?.()
      clearTimeout(timers.sleep)
      clearTimeout(timers.tap)
      element.removeAttribute('data-idle')
    }
  }, [frame, isOn, wakesByKeys, isShownFirst])
}

const forMice =
  (run: () => void) =>
  ({ pointerType }: PointerEvent): void => {
    if (pointerType !== 'touch') run()
  }

/** Calls a function for each tap of one finger on an element, except on its controls. */
function listenToTaps(element: HTMLElement, onTap: () => void, signal: AbortSignal): void {
  const fingers = new Set<number>()
  let start: { readonly x: number; readonly y: number } | null = null
  const onDown = ({ pointerType, pointerId, clientX, clientY, target }: PointerEvent): void => {
    if (pointerType !== 'touch') return
    fingers.add(pointerId)
    start = fingers.size === 1 && isOnContent(target, clientX) ? { x: clientX, y: clientY } : null
  }
  const onUp = ({ pointerId, clientX, clientY }: PointerEvent): void => {
    fingers.delete(pointerId)
    if (start !== null && Math.hypot(clientX - start.x, clientY - start.y) <= maxTapPx) onTap()
    start = null
  }
  const onCancel = ({ pointerId }: PointerEvent): void => {
    fingers.delete(pointerId)
    start = null
  }
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointerup', onUp, { signal })
  element.addEventListener('pointercancel', onCancel, { signal })
}

/** Returns true for a place that has no other use for a tap: no control, and no side of an area that turns pages. */
function isOnContent(target: EventTarget | null, x: number): boolean {
  if (!(target instanceof Element) || target.closest(controls) !== null) return false
  const pages = target.closest('[data-turns-pages]')
  return pages === null || isInMiddle(pages, x)
}

/** Returns true for a place in the middle third of an element. */
export function isInMiddle(element: Element, x: number): boolean {
  const { left, width } = element.getBoundingClientRect()
  return x > left + width / 3 && x < left + (width * 2) / 3
}
