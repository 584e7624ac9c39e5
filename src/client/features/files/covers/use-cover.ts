import { type RefObject, useEffect, useState } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { call } from '../../../api/call.ts'
import { whileOnScreen } from '../../../listing/thumbnails/while-on-screen.ts'
import { thumbnailRequest } from '../../../operations/thumbnails/thumbnail-address.ts'
import { registerPersonal } from '../../../state/personal.ts'
import { type Cover, type CoverRequest, createCoverLoader } from './cover-loader.ts'

/**
 * The time that a card is on screen before its cover is requested, in milliseconds. Cards that only pass while the user
 * scrolls are on screen for a shorter time.
 */
const restMs = 200

const covers = createCoverLoader({
  request: (path, signal) =>
    call('resources.get', {
      path: path as Path,
      isFolder: true,
      headers: { accept: 'application/x-ndjson' },
      signal,
    }),
  hasPicture: (entry) => thumbnailRequest(entry, false) !== null,
})

registerPersonal({ drop: covers.clear })

/**
 * Returns the cover of a folder once it is loaded, or null. It is requested while the element is on screen, and the
 * request is aborted when the element leaves the screen.
 */
export function useCover(
  { path, modifiedMs }: CoverRequest,
  element: RefObject<Element | null>,
): Cover | null {
  // The compiler would read the loaded covers only once.
  'use no memo'
  /** Counts the covers that arrived, so that the component reads the loaded one. */
  const [, setArrivals] = useState(0)
  const cover = covers.loadedCover({ path, modifiedMs })
  const isMissing = cover === null
  useEffect(() => {
    const { current } = element
    if (current === null || !isMissing) return undefined
    return loadOnScreen(current, { path, modifiedMs }, () => setArrivals((count) => count + 1))
  }, [path, modifiedMs, element, isMissing])
  return cover
}

/** Loads a cover while an element is on screen, until it has arrived or the returned function is called. */
function loadOnScreen(element: Element, wanted: CoverRequest, onArrival: () => void): () => void {
  const stop = whileOnScreen(element, restMs, async (signal) => {
    const cover = await covers.load(wanted, signal)
    if (cover === null || signal.aborted) return
    stop()
    onArrival()
  })
  return stop
}
