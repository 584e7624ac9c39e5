import { useEffect, useState } from 'react'
import { openFolder } from '../../../state/open-folder.ts'
import { useStore } from '../../../state/store.ts'

/**
 * The height that the card needs between the rows and the end of the listing, in rem. The empty space below the last row
 * (`use-grid-metrics.ts`) is a part of the rows' element, so the room that is left may be smaller by it.
 */
const cardRem = 18.5
const endSpaceRem = 4.5

/** Returns true while the rows of the open folder end above the place of the card. */
export function useHasRoom(): boolean {
  const [hasRoom, setHasRoom] = useState(false)
  const open = useStore(openFolder)
  useEffect(() => {
    const listing = document.querySelector('[data-part="listing"]')
    if (listing === null) return undefined
    const rows = listing.querySelector('[role="rowgroup"]:last-child')
    const check = (): void => setHasRoom(isFree(listing, rows))
    const observer = new ResizeObserver(check)
    for (const element of [listing, rows]) if (element !== null) observer.observe(element)
    return () => observer.disconnect()
  }, [open])
  return hasRoom
}

/** A folder without rows has its message in the middle of the listing, where the card does not lie. */
function isFree(listing: Element, rows: Element | null): boolean {
  if (rows === null) return true
  const { bottom } = listing.getBoundingClientRect()
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return rows.getBoundingClientRect().bottom + (cardRem - endSpaceRem) * rem <= bottom
}
