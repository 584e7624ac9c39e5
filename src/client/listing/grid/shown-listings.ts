import { contextMenu } from '../../state/context-menu.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { selectAll } from '../../state/selection.ts'
import { rowOrderOfColumns } from '../rows/folder-rows.ts'
import { createListing, type Listing } from './listing.ts'
import { deselectRows, escapeRows, setMultipleMode } from './select-in-lists.ts'

const listsOnScreen = (): readonly Listing[] => shownListings

/** The rows of the open folder. */
export const folderListing = createListing({ id: 'listing', menu: contextMenu, listsOnScreen })

/** The results of a search, which stand below the rows of the open folder. Empty while nothing is searched for. */
export const foundListing = createListing({ id: 'found', menu: contextMenu, listsOnScreen })

/** The lists on the files screen. Actions apply to the selected rows of both. */
export const shownListings = [folderListing, foundListing] as const

/** The list that had the focus last. The keys of a list apply to it. */
export const activeListing = createPersonalStore<Listing>(folderListing)

/** Deselects the rows of all lists. */
export const deselectAll = (): void => deselectRows(shownListings)

/** Handles the Escape key: the first press deselects all rows, the second press ends the multiple-selection mode. */
export const escapeSelections = (): void => escapeRows(shownListings)

/** Returns true while the grid of a list is on screen. On phones, a search shows only one of the lists at a time. */
export const isListShown = ({ grid }: Listing): boolean => grid.current?.element()?.checkVisibility() === true

/**
 * Selects all rows of the active list. Among the results of a search, also selects the rows of the folder that match, unless
 * the screen shows only the results.
 */
export function selectAllRows(): void {
  const lists = activeListing.get() === foundListing ? shownListings : [folderListing]
  for (const { columns, selection } of lists.filter(isListShown))
    selection.set((now) => selectAll(now, rowOrderOfColumns(columns.get())))
}

/** Deselects all rows and ends the multiple-selection mode. */
export function endMultiple(): void {
  deselectAll()
  setMultipleMode(shownListings, false)
}
