import { useEffect } from 'react'

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
