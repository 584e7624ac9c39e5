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
    const ending = new AbortController()
    const { signal } = ending
    video.addEventListener('pointerdown', onDown, { signal })
    video.addEventListener('click', click, { signal })
    video.addEventListener('dblclick', onDoubleClick, { signal })
    return () => ending.abort()
  }, [video, onClick, onDoubleClick])
}
