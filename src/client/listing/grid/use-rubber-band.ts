import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react'
import { emptyRowSet } from '../../state/row-set.ts'
import { isCtrlPressed } from '../../ui/keyboard/keys.ts'
import { listingAfterRows } from '../parts/load-after-rows.ts'
import type { RubberBandPress, RubberBandDependencies, SelectionRectangle } from '../band/draw-rubber-band.ts'

/**
 * Selects rows with a rectangle that the user draws with the mouse. `begin` handles the press of the mouse button and
 * ignores presses on parts of a row that handle presses themselves. `band` is the rectangle while the user draws it,
 * and null at all other times.
 */
export function useRubberBand(dependencies: RubberBandDependencies): {
  readonly band: SelectionRectangle | null
  readonly begin: (event: ReactPointerEvent<HTMLElement>) => void
} {
  const [band, setBand] = useState<SelectionRectangle | null>(null)
  const latest = useRef(dependencies)
  useEffect(() => {
    latest.current = dependencies
  })
  const end = useRef<(() => void) | null>(null)
  useEffect(() => () => end.current?.(), [])

  const draw = async (press: RubberBandPress, released: AbortSignal): Promise<void> => {
    const drawRubberBand = await loadBand()
    if (!released.aborted) end.current = drawRubberBand?.(latest, press, setBand) ?? null
  }
  const begin = (event: ReactPointerEvent<HTMLElement>): void => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || !isBandStart(event.target as Element)) return
    if (!latest.current.listing.canSelect.get()) return
    const isToggling = isCtrlPressed(event)
    const isAdding = isToggling || event.shiftKey
    const press: RubberBandPress = {
      kept: isAdding ? latest.current.listing.selection.get().chosen : emptyRowSet,
      isAdding,
      isToggling,
      clientX: event.clientX,
      clientY: event.clientY,
      topPx: latest.current.topPx(),
    }
    end.current?.()
    const release = new AbortController()
    end.current = () => release.abort()
    for (const type of ['pointerup', 'pointercancel'])
      addEventListener(type, () => release.abort(), { signal: release.signal })
    void draw(press, release.signal)
  }
  return { band, begin }
}

/** Loads the code that draws. Without it, for example after the connection was lost, the mouse draws nothing. */
const loadBand = () =>
  listingAfterRows.load().then(
    (module) => module.drawRubberBand,
    () => null,
  )

/**
 * Returns true for the parts of the grid on which a selection rectangle can start: all except names, icons, check boxes
 * and buttons, which handle presses themselves.
 */
const isBandStart = (target: Element): boolean =>
  target.closest('[data-part="name"], [data-part="check"], svg, img, button, [role="columnheader"]') === null
