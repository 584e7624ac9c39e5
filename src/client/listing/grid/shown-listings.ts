import { contextMenu } from '../../state/context-menu.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { clearSelection, type Selection } from '../../state/selection.ts'
import { createListing, type Listing } from './listing.ts'

/** The rows of the open folder. */
export const folderListing = createListing({ id: 'listing', menu: contextMenu })

/** The results of a search, which stand below the rows of the open folder. Empty while nothing is searched for. */
export const foundListing = createListing({ id: 'found', menu: contextMenu })

/** The lists on the files screen. Actions apply to the selected rows of both. */
export const shownListings = [folderListing, foundListing] as const

/** The list that had the focus last. The keys of a list apply to it. */
export const activeListing = createPersonalStore<Listing>(folderListing)

/** Selects rows of a list in place of all rows that are selected, also those of the other list. */
export function selectAlone(listing: Listing, change: (current: Selection) => Selection): void {
  for (const { selection } of shownListings)
    if (selection !== listing.selection && selection.get().chosen.count > 0) selection.set(clearSelection)
  listing.selection.set(change)
}
