import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { type Columns, idOfName, indexOfId, nameOfId } from '../../listing/rows/columns.ts'
import type { GridHandle } from '../../listing/grid/grid.tsx'
import { location } from '../../router/router.ts'
import { selection } from '../../state/selection.ts'
import { moveOn, placeIn, rememberPlace } from './places.ts'
import { lastInput } from './keyboard/use-keyboard.ts'

type MemoryFacts = {
  readonly folder: Path
  readonly columns: Columns
  readonly grid: RefObject<GridHandle | null>
  readonly isArriving: boolean
}

/** How often the place is written down while scrolling: browsers slow down pages that rewrite their history. */
const writeMs = 250

/**
 * Begins in a folder where one was before, and writes down where one is. The answer is to be called while scrolling.
 */
export function usePlaceMemory({ folder, columns, grid, isArriving }: MemoryFacts): () => void {
  const latest = useRef(columns)
  const wanted = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const key = useRef(location.get().key)

  const focusWanted = (): void => {
    if (wanted.current === null || grid.current === null) return
    const index = indexOfId(columns, idOfName(columns, wanted.current))
    if (index === -1) return
    wanted.current = null
    grid.current.focusIndex(index)
  }
  useLayoutEffect(() => {
    latest.current = columns
  })
  const hasBegun = useRef(false)
  useLayoutEffect(() => {
    // A folder begins once: what happens to its rows later moves nobody.
    if (hasBegun.current) return
    hasBegun.current = true
    const { scrollPx, focus } = placeIn(folder, { key: key.current, from: moveOn(folder) })
    wanted.current = focus
    // Still before the first paint, but when React is done: rows that are scrolled to have to be rendered at once.
    queueMicrotask(() => {
      if (scrollPx > 0) grid.current?.scrollTo(scrollPx)
      if (focus !== null) focusWanted()
      else if (lastInput === 'keyboard' && columns.count > 0) grid.current?.focusIndex(0)
    })
  })
  useEffect(() => {
    if (wanted.current === null) return
    queueMicrotask(() => {
      focusWanted()
      if (!isArriving) wanted.current = null
    })
  })

  const write = useCallback((): void => {
    clearTimeout(timer.current)
    timer.current = undefined
    const here = latest.current
    const { focusId, folder: selected } = selection.get()
    const hasFocus = selected === folder && indexOfId(here, focusId) !== -1 && focusId < here.ids
    const scrollPx = grid.current?.topPx()
    if (scrollPx === undefined) return
    rememberPlace(key.current, folder, { scrollPx, focus: hasFocus ? nameOfId(here, focusId) : null })
  }, [folder, grid])
  useEffect(() => {
    // Written down before the address changes: afterwards the history entry is another one.
    const stop = selection.subscribe(() => {
      timer.current ??= setTimeout(write, writeMs)
    })
    return () => {
      stop()
      clearTimeout(timer.current)
    }
  }, [write])
  useLayoutEffect(() => write, [write])
  return useCallback(() => {
    timer.current ??= setTimeout(write, writeMs)
  }, [write])
}
