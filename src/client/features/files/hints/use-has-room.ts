import { useEffect, useState } from 'react'
import { endPaddingRem } from '../../../listing/grid/use-grid-metrics.ts'
import { openFolder } from '../../../state/open-folder.ts'

/**
 * The height that the card needs between the last row and the end of the listing, in rem. At the usual text size, the
 * upper edge of the card was measured at 270 px above the end of the listing, which is 16.9 rem. The rest is room for one
 * more line of text, which a font with wider letters needs.
 */
const cardRem = 18.5

/**
 * Returns true while the rows of the open folder end above the place of the card. The elements are looked up again when
 * the folder becomes empty or gets its first row, because the message of an empty folder and the rows replace each other.
 */
export function useHasRoom(isEmpty: boolean): boolean {
  const [hasRoom, setHasRoom] = useState(false)
  useEffect(() => {
    let listing: Element | null = null
    let rows: Element | null = null
    const observer = new ResizeObserver(() => setHasRoom(listing !== null && isFree(listing, rows)))
    const watch = (): void => {
      observer.disconnect()
      listing = document.querySelector('[data-part="listing"]')
      rows = isEmpty ? null : (listing?.querySelector('[role="rowgroup"]:last-child') ?? null)
      for (const element of [listing, rows]) if (element !== null) observer.observe(element)
    }
    watch()
    // Another folder has other elements, which are on screen when it becomes the open folder.
    const stop = openFolder.subscribe(watch)
    return () => {
      stop()
      observer.disconnect()
    }
  }, [isEmpty])
  return hasRoom
}

/**
 * Returns true when the rows end above the place of the card. The empty space below the last row is a part of the rows'
 * element. A folder without rows has its message in the middle of the listing, where the card does not lie.
 */
function isFree(listing: Element, rows: Element | null): boolean {
  if (rows === null) return true
  const { bottom } = listing.getBoundingClientRect()
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return rows.getBoundingClientRect().bottom + (cardRem - endPaddingRem) * rem <= bottom
}
