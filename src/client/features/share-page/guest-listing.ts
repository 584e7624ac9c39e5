import type { ResourceItem } from '../../../shared/contract/resources.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import type { GridView } from '../../listing/grid/grid-view.ts'
import { createListing, type Listing } from '../../listing/grid/listing.ts'
import { carrySelection } from '../../listing/rows/carry-selection.ts'
import { appendRows } from '../../listing/rows/column-writes.ts'
import { type ListingColumns, createColumns, publishSummary } from '../../listing/rows/columns.ts'
import { flagsOfEntry } from '../../state/listed-entry.ts'
import { noSelection, selectionIn } from '../../state/selection.ts'
import type { SharePath } from './share-address.ts'
import { sortedEntries } from './sorted-entries.ts'

/** The rows of the shared folder on screen. The page has a button for each action, so there is no menu. */
export const guestListing: Listing = createListing({
  id: 'listing',
  menu: null,
  listsOnScreen: () => [guestListing],
})

/** Returns the view of a folder before a guest has chosen one: a gallery when more than half of the files are pictures. */
export function proposedView(items: readonly ResourceItem[]): GridView {
  const files = items.filter(({ isDir }) => !isDir)
  const pictures = files.filter(({ type }) => type === 'image')
  return pictures.length * 2 > files.length ? 'gallery' : 'list'
}

/** Creates the rows of a shared folder from the entries of the response. */
export function columnsOfItems(items: readonly ResourceItem[], order: ListingOrder): ListingColumns {
  const columns = createColumns(order)
  appendRows(
    columns,
    sortedEntries(items, order).map((entry) => {
      const { name, sizeBytes, modifiedMs, type } = entry
      return [name, sizeBytes, modifiedMs, type, flagsOfEntry(entry)]
    }),
  )
  publishSummary(columns)
  return columns
}

/** The rows of a shared folder, and whether guests may select them. */
export type SharedRows = {
  readonly path: SharePath
  readonly columns: ListingColumns
  readonly canSelect: boolean
}

/** Shows the rows of a folder. Rows of the same folder in another order keep what is selected. */
export function showRows({ path, columns, canSelect }: SharedRows): void {
  guestListing.canSelect.set(canSelect)
  const before = guestListing.columns.get()
  guestListing.selection.set((now) =>
    now.folder === path ? carrySelection(now, before, columns) : selectionIn(path),
  )
  guestListing.columns.set(columns)
}

/** Forgets what is selected, because the folder is left. */
export const leaveRows = (): void => guestListing.selection.set(noSelection)
