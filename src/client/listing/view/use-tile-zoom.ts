import { useEffect } from 'react'
import type { Listing } from '../grid/listing.ts'
import { tileChoices, tileSize } from '../sizes/tile-size.ts'

/** Makes the tiles larger or smaller by some steps, within the limits. */
function resizeTiles(steps: number): void {
  const at = tileChoices.indexOf(tileSize.get()) + steps
  tileSize.set(tileChoices[Math.min(Math.max(at, 0), tileChoices.length - 1)] ?? '200')
}

const keySteps: Readonly<Record<string, number>> = { '+': 1, '=': 1, '-': -1 }

/**
 * Resizes the tiles with Ctrl and the mouse wheel over the gallery, and with Ctrl and plus or minus while the focus is
 * inside. Elsewhere these gestures zoom the page, as the browser does. `isGallery` is true while the gallery is on screen.
 */
export function useTileZoom({ grid }: Listing, isGallery: boolean): void {
  useEffect(() => {
    const element = grid.current?.element()
    if (!isGallery || element === null || element === undefined) return undefined
    const resize = (event: WheelEvent | KeyboardEvent, steps: number): void => {
      if (steps === 0 || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      resizeTiles(steps)
    }
    const onWheel = (event: WheelEvent): void => resize(event, -Math.sign(event.deltaY))
    const onKey = (event: KeyboardEvent): void => resize(event, keySteps[event.key] ?? 0)
    element.addEventListener('wheel', onWheel, { passive: false })
    element.addEventListener('keydown', onKey)
    return () => {
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('keydown', onKey)
    }
  }, [grid, isGallery])
}
