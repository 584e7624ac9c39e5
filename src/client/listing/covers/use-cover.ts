import { type RefObject, useEffect, useState } from 'react'
import { whileOnScreen } from '../thumbnails/while-on-screen.ts'
import type { Cover, CoverLoader, CoverRequest } from './cover-loader.ts'

/**
 * The time that a card is on screen before its cover is requested, in milliseconds. Cards that only pass while the user
 * scrolls are on screen for a shorter time.
 */
const restMs = 200

/**
 * Returns the cover of a folder once it is loaded, or null. It is requested while the element is on screen, and the
 * request is aborted when the element leaves the screen. After a change of the folder the former cover stays until the new one has
 * arrived.
 */
export function useCover(
  covers: CoverLoader,
  { path, modifiedMs }: CoverRequest,
  element: RefObject<Element | null>,
): Cover | null {
  // The compiler would read the loaded covers only once.
  'use no memo'
  /** Counts the covers that arrived and the changes, so that the component reads the loaded one. */
  const [, setArrivals] = useState(0)
  const loaded = covers.loadedCover({ path, modifiedMs })
  const changes = covers.changesOf(path)
  const isMissing = loaded === null || loaded.changes < changes
  useEffect(
    () =>
      covers.changed.subscribe((changedPath) => {
        if (changedPath === path) setArrivals((count) => count + 1)
      }),
    [covers, path],
  )
  useEffect(() => {
    const { current } = element
    if (current === null || !isMissing) return undefined
    const stop = whileOnScreen(current, restMs, async (signal) => {
      const arrived = await covers.load({ path, modifiedMs }, signal)
      // A folder that has changed meanwhile is loaded again by the effect for that change.
      if (arrived === null || signal.aborted || covers.changesOf(path) > changes) return
      stop()
      setArrivals((count) => count + 1)
    })
    return stop
  }, [covers, path, modifiedMs, element, isMissing, changes])
  return loaded?.cover ?? null
}
