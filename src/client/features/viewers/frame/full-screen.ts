import { useEffect, useSyncExternalStore } from 'react'

/** The full screen of the page, which a player fills. */
export type FullScreen = {
  readonly isOn: boolean
  /** Null where the browser allows no full screen. */
  readonly toggle: (() => void) | null
}

/** A video on an iPhone, where only the browser's own player can fill the screen. */
type IosVideo = HTMLVideoElement & { readonly webkitEnterFullscreen?: () => void }

/**
 * Returns the full screen for a video. The whole page fills the screen, and the style sheet enlarges the player, so that
 * menus and dialogs of the page stay visible above it. The full screen ends when the component is unmounted, unless another file
 * takes the whole screen instead.
 */
export function useFullScreen(video: IosVideo | null): FullScreen {
  const isOn = useSyncExternalStore(subscribe, isFull)
  useEffect(
    () => () => {
      if (isFull() && document.querySelector('[data-whole-screen]') === null) leave()
    },
    [],
  )
  const enterOnPhone = video?.webkitEnterFullscreen
  if (document.fullscreenEnabled) return { isOn, toggle: isOn ? leave : enter }
  return { isOn, toggle: enterOnPhone === undefined ? null : () => enterOnPhone.call(video) }
}

const isFull = (): boolean => (document.fullscreenElement ?? null) !== null

/** The browser may refuse. The player then keeps its size. */
const enter = (): void => void document.documentElement.requestFullscreen().catch(() => undefined)
const leave = (): void => void document.exitFullscreen().catch(() => undefined)

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}
