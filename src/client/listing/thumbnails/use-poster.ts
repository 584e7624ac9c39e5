import { type RefObject, useEffect, useState } from 'react'
import { registerPersonal } from '../../state/personal.ts'
import { createPosterLoader } from './poster-loader.ts'
import { whileOnScreen } from './while-on-screen.ts'

/**
 * The time that a row is on screen before its poster is requested, in milliseconds. Rows that only pass while the user
 * scrolls are on screen for a shorter time.
 */
const restMs = 150

const posters = createPosterLoader((address, signal) => fetch(address, { signal }))

registerPersonal({ drop: posters.clear })

/**
 * Returns the URL of the poster at an address once it is loaded, or null. The poster is requested while the element is on
 * screen, and the request is aborted when the element leaves the screen.
 */
export function usePoster(address: string, element: RefObject<Element | null>): string | null {
  const [picture, setPicture] = useState<string | null>(null)
  useEffect(() => {
    const { current } = element
    if (current === null) return undefined
    let url: string | null = null
    const show = (blob: Blob): void => {
      if (url !== null) return
      url = URL.createObjectURL(blob)
      setPicture(url)
    }
    const loaded = posters.loadedPicture(address)
    if (loaded !== null) show(loaded)
    const stop = posters.hasFailed(address) || loaded !== null ? null : loadOnScreen(current, address, show)
    return () => {
      stop?.()
      if (url !== null) URL.revokeObjectURL(url)
      setPicture(null)
    }
  }, [address, element])
  return picture
}

/** Loads a poster while an element is on screen, until the returned function is called. */
const loadOnScreen = (element: Element, address: string, show: (picture: Blob) => void): (() => void) =>
  whileOnScreen(element, restMs, async (signal) => {
    const picture = await posters.load(address, signal)
    if (picture !== null && !signal.aborted) show(picture)
  })
