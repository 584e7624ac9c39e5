import { type RefObject, useLayoutEffect } from 'react'
import { idOfName, indexOfId } from '../../listing/rows/columns.ts'
import {
  recordVisit,
  rememberPosition,
  startPositionIn,
  type StartPosition,
} from '../../router/folder-positions.ts'
import { guestListing, leaveRows, type SharedRows, showRows } from './guest-listing.ts'

const { grid } = guestListing

type ShownFolder = SharedRows & {
  /** The key of the history entry, under which the position in the folder is kept. */
  readonly visitKey: string
}

/**
 * Puts the rows of a folder on screen where the guest has left them. The entry that the guest comes from gets the focus, and
 * in all other cases the heading of the page.
 */
export function useShownFolder(
  { path, visitKey, columns, canSelect }: ShownFolder,
  page: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => showRows({ path, columns, canSelect }), [path, columns, canSelect])
  useLayoutEffect(() => {
    const start = startPositionIn(path, { key: visitKey, from: recordVisit(path) })
    // A microtask runs after React has finished and before the first paint.
    queueMicrotask(() => {
      if (!restore(start)) page.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    })
    return () => {
      rememberPosition(visitKey, path, { scrollPx: 0, ...grid.current?.scrolledTo(), focus: null })
      leaveRows()
    }
  }, [path, visitKey, page])
}

/** Scrolls to a position, and gives its row the focus. Returns false for a position without a row. */
function restore(start: StartPosition): boolean {
  if (start.scrollPx > 0) grid.current?.restore(start)
  const columns = guestListing.columns.get()
  const index = start.focus === null ? -1 : indexOfId(columns, idOfName(columns, start.focus))
  if (index === -1 || grid.current === null) return false
  grid.current.focusIndex(index)
  return true
}
