import { useEffect, useState } from 'react'
import { openFolder } from '../../../state/open-folder.ts'

/**
 * The height that the card needs between the rows and the end of the listing, in rem. The empty space below the last row
 * (`use-grid-metrics.ts`) is a part of the rows' element, so the room that is left may be smaller by it.
 */
const cardRem = 18.5
const endSpaceRem = 4.5

/** Returns true while the rows of the open folder end above the place of the card. */
export function useHasRoom(): boolean {
  const [hasRoom, setHasRoom] = useState(false)
  useEffect(() => {
    let listing: Element | null = null
    let rows: Element | null = null
    const observer = new ResizeObserver(() => setHasRoom(listing !== null && isFree(listing, rows)))
    const watch = (): void => {
      observer.disconnect()
      listing = document.querySelector('[data-part="listing"]')
      rows = listing?.querySelector('[role="rowgroup"]:last-child') ?? null
      for (const element of [listing, rows]) if (element !== null) observer.observe(element)
    }
    watch()
    // Another folder has other elements, which are on screen when it becomes the open folder.
    const stop = openFolder.subscribe(watch)
    return () => {
      stop()
      observer.disconnect()
    }
  }, [])
  return hasRoom
}

/** A folder without rows has its message in the middle of the listing, where the card does not lie. */
function isFree(listing: Element, rows: Element | null): boolean {
  if (rows === null) return true
  const { bottom } = listing.getBoundingClientRect()
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return rows.getBoundingClientRect().bottom + (cardRem - endSpaceRem) * rem <= bottom
}
