import { type RefObject, useEffect } from 'react'
import { keyPressed } from '../../../ui/keyboard/key-scopes.ts'

/** The controls of a video that plays are hidden after this time without a movement of the pointer, in milliseconds. */
const hideAfterMs = 2500

/**
 * Marks the frame of a video as idle while the pointer rests. The style sheet then hides the controls of a video that
 * plays, unless they have the focus or a menu is open. Keys and movements end the mark, and a tap on the picture changes it.
 */
export function useIdleMark(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const sleep = (): void => element.setAttribute('data-idle', '')
    const wake = (): void => {
      clearTimeout(timer)
      element.removeAttribute('data-idle')
      timer = setTimeout(sleep, hideAfterMs)
    }
    const onTap = ({ pointerType, target }: PointerEvent): void => {
      const isTap = pointerType === 'touch' && target instanceof HTMLVideoElement
      if (isTap && !element.hasAttribute('data-idle')) sleep()
      else wake()
    }
    const onMove = ({ pointerType }: PointerEvent): void => {
      if (pointerType !== 'touch') wake()
    }
    const onLeave = ({ pointerType }: PointerEvent): void => {
      if (pointerType === 'mouse') sleep()
    }
    wake()
    element.addEventListener('pointermove', onMove, { passive: true })
    element.addEventListener('pointerleave', onLeave)
    element.addEventListener('pointerup', onTap)
    const stopKeys = keyPressed.subscribe(wake)
    return () => {
      stopKeys()
      clearTimeout(timer)
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerleave', onLeave)
      element.removeEventListener('pointerup', onTap)
    }
  }, [frame])
}

/** Lets a click on a video play and pause it, and a double click change the full screen. A tap shows the controls. */
export function useVideoClicks(
  video: HTMLVideoElement | null,
  { onClick, onDoubleClick }: { readonly onClick: () => void; readonly onDoubleClick: () => void },
): void {
  useEffect(() => {
    if (video === null) return undefined
    let isTouch = false
    const onDown = ({ pointerType }: PointerEvent): void => {
      isTouch = pointerType === 'touch'
    }
    const click = (): void => {
      if (!isTouch) onClick()
    }
    video.addEventListener('pointerdown', onDown)
    video.addEventListener('click', click)
    video.addEventListener('dblclick', onDoubleClick)
    return () => {
      video.removeEventListener('pointerdown', onDown)
      video.removeEventListener('click', click)
      video.removeEventListener('dblclick', onDoubleClick)
    }
  }, [video, onClick, onDoubleClick])
}
