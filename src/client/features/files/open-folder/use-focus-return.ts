import { useEffect } from 'react'
import { indexOfId } from '../../../listing/rows/columns.ts'
import type { Listing } from '../../../listing/grid/listing.ts'
import { prompt } from '../../../state/prompt.ts'

/** The time that a closing dialog takes to return the focus, in milliseconds. */
const afterDialogMs = 60

/**
 * Focuses a row when the focus has been lost: after a dialog has closed whose row was removed meanwhile, and when the
 * button with the focus is disabled because its verb took the selected entries away.
 */
export function useFocusReturn({ columns, selection, grid }: Listing): void {
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const focusRowIf = (isLost: () => boolean): void => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        const index = indexOfId(columns.get(), selection.get().focusId)
        if (index !== -1 && isLost()) grid.current?.focusIndex(index)
      }, afterDialogMs)
      timers.add(timer)
    }
    const stops = [
      prompt.subscribe(() => {
        if (prompt.get().kind === 'none') focusRowIf(() => isOnBody() || isOnDisabledButton())
      }),
      selection.subscribe(() => {
        if (timers.size === 0) focusRowIf(isOnDisabledButton)
      }),
    ]
    return () => {
      timers.forEach(clearTimeout)
      for (const stop of stops) stop()
    }
  }, [columns, selection, grid])
}

const isOnBody = (): boolean => document.activeElement === document.body

const isOnDisabledButton = (): boolean =>
  document.activeElement?.matches('button:disabled, button[aria-disabled="true"]') === true
