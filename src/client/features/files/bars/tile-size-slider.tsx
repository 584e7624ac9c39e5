import { useEffect } from 'react'
import { t } from '../../../i18n/translate.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { tileChoices, tileSize, tileSizes } from '../../../listing/sizes/tile-size.ts'
import { useStore } from '../../../state/store.ts'
import { Slider } from '../../../ui/slider.tsx'
import styles from './status-bar.module.css'

/** Renders the slider for the size of the gallery's tiles, which the mouse wheel and the keyboard change as well. */
export function TileSizeSlider() {
  useTileZoom()
  return (
    <Slider
      className={styles.slider}
      aria-label={t('listing.tileSize')}
      {...tileSizes}
      value={useStore(tileSize)}
      onChange={(event) => tileSize.set(event.currentTarget.value)}
    />
  )
}

/** Makes the tiles larger or smaller by some steps, within the limits. */
function resizeTiles(steps: number): void {
  const at = tileChoices.indexOf(tileSize.get()) + steps
  tileSize.set(tileChoices[Math.min(Math.max(at, 0), tileChoices.length - 1)] ?? '200')
}

const keySteps: Readonly<Record<string, number>> = { '+': 1, '=': 1, '-': -1 }

/**
 * Resizes the tiles with Ctrl and the mouse wheel over the gallery, and with Ctrl and plus or minus while the focus is
 * inside. Elsewhere these gestures zoom the page, as the browser does.
 */
function useTileZoom(): void {
  useEffect(() => {
    const element = folderListing.grid.current?.element()
    if (element === null || element === undefined) return undefined
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
  }, [])
}
