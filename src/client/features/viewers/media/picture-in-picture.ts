import { useCallback, useSyncExternalStore } from 'react'

/** The small window of a video above other windows. */
export type PictureInPicture = { readonly isOn: boolean; readonly toggle: () => void }

/** Returns the small window of a video, or null where the browser does not support it. */
export function usePictureInPicture(video: HTMLVideoElement | null): PictureInPicture | null {
  const subscribe = useCallback(
    (listener: () => void) => {
      const ending = new AbortController()
      video?.addEventListener('enterpictureinpicture', listener, { signal: ending.signal })
      video?.addEventListener('leavepictureinpicture', listener, { signal: ending.signal })
      return () => ending.abort()
    },
    [video],
  )
  const isOn = useSyncExternalStore(
    subscribe,
    () => video !== null && document.pictureInPictureElement === video,
  )
  if (video === null || !document.pictureInPictureEnabled) return null
  return {
    isOn,
    toggle: () =>
      void (isOn ? document.exitPictureInPicture() : video.requestPictureInPicture()).catch(() => undefined),
  }
}
