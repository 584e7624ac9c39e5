import { useEffect } from 'react'
import { location, type Location } from '../router/router.ts'
import { openFolder, unreachablePath } from '../state/open-folder.ts'
import { createStore, useStore } from '../state/store.ts'

/**
 * The longest delay of what follows the rows, in milliseconds. It ends the wait for a slow folder, and for the frames of a tab
 * in the background.
 */
const maxDelayMs = 1500

/** True once the code that follows the rows was requested. A change of the language or the user mounts the frame anew. */
const hasBegun = createStore(false)

/**
 * Returns true from the time on at which the code that follows the rows is loaded: when the first rows or an error in their
 * place are on screen, in the first frame of a screen without rows, when the user presses something or drags files over the
 * page, and for an address with a search, whose results are part of it.
 */
export function useIsAfterRows(): boolean {
  useEffect(waitForRows, [])
  return useStore(hasBegun)
}

/** Returns true for the address of a folder, whose screen shows rows or an error in their place. */
export const hasRows = ({ screen, isFolder, path }: Location): boolean =>
  screen === 'files' && isFolder && path !== null

function waitForRows(): (() => void) | undefined {
  if (hasBegun.get()) return undefined
  const ending = new AbortController()
  const { signal } = ending
  const start = (): void => {
    ending.abort()
    hasBegun.set(true)
  }
  // The screen is painted first.
  const onScreen = (): void => {
    const isShown = openFolder.get() !== null || unreachablePath.get() !== null
    if (isShown || !hasRows(location.get())) requestAnimationFrame(start)
  }
  for (const type of ['keydown', 'pointerdown', 'dragenter'])
    addEventListener(type, start, { capture: true, signal })
  const stops = [location, openFolder, unreachablePath].map((store) => store.subscribe(onScreen))
  const timer = setTimeout(start, maxDelayMs)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  })
  if (location.get().query.includes('q=')) start()
  else onScreen()
  return () => ending.abort()
}
