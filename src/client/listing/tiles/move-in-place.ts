import { flushSync } from 'react-dom'
import { isInView } from '../../ui/measuring/is-in-view.ts'
import type { Listing } from '../grid/listing.ts'

/**
 * Moves the rows of a list, and then scrolls it so that the row with the focus stays where it is on screen. The grid keeps the row at the
 * top of the view where no row in view has the focus. A list at its start whose first row has the focus stays at its start.
 */
export function moveInPlace({ grid }: Listing, moveRows: () => void): void {
  const scroller = grid.current?.element()
  const focused = scroller?.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>('[role="row"]')
    : null
  if (!scroller || !focused || focused.dataset['index'] === '0' || !isInView(scroller, focused))
    return moveRows()
  const topPx = (): number => focused.getBoundingClientRect().top
  const before = topPx()
  flushSync(moveRows)
  // The grid scrolls in a microtask as well, which was queued before.
  queueMicrotask(() => {
    const movedPx = focused.isConnected ? topPx() - before : 0
    if (movedPx !== 0) grid.current?.scrollTo(grid.current.topPx() + movedPx)
  })
}
