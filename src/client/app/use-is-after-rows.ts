import { useEffect, useState } from 'react'
import { location } from '../router/router.ts'
import { openFolder, unreachablePath } from '../state/open-folder.ts'

/** The delay of what follows the rows on screens without rows, in milliseconds. */
const withoutRowsMs = 1500

/**
 * Returns true from the time on at which the code that follows the rows is loaded: when the first rows or an error in their
 * place are on screen, when the user presses something, and for an address with a search, whose results are part of it.
 */
export function useIsAfterRows(): boolean {
  const [isAfter, setAfter] = useState(() => location.get().query.includes('q='))
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const start = (): void => {
      ending.abort()
      setAfter(true)
    }
    // The rows are painted first.
    const onRows = (): void => {
      if (openFolder.get() !== null || unreachablePath.get() !== null) requestAnimationFrame(start)
    }
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, start, { capture: true, signal })
    const stops = [openFolder.subscribe(onRows), unreachablePath.subscribe(onRows)]
    const timer = setTimeout(start, withoutRowsMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    })
    onRows()
    return () => ending.abort()
  }, [])
  return isAfter
}
