import type { ResourceItem } from '../../../shared/contract/resources.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import type { GridView } from '../../listing/grid/grid-view.ts'
import { createListing, type Listing } from '../../listing/grid/listing.ts'
import { carrySelection } from '../../listing/rows/carry-selection.ts'
import { appendRows } from '../../listing/rows/column-writes.ts'
import { type ListingColumns, createColumns, publishSummary } from '../../listing/rows/columns.ts'
import { compareEntries } from '../../listing/rows/compare-entries.ts'
import { createDeviceStore } from '../../state/device/device-store.ts'
import { flagsOfEntry, type ListedEntry } from '../../state/listed-entry.ts'
import { noSelection, selectionIn } from '../../state/selection.ts'
import { fileTypeOf } from './share-download.ts'
import type { SharePath } from './share-address.ts'

/** The rows of the shared folder on screen. Nothing that a menu could offer is allowed to guests. */
export const guestListing: Listing = createListing({
  id: 'listing',
  menu: null,
  listsOnScreen: () => [guestListing],
})

/** The view in which guests see shared folders on this device. */
export const guestView = createDeviceStore<GridView>('guest-view', 'list', ['list', 'mosaic', 'gallery'])

/** Creates the rows of a shared folder from the entries of the response. */
export function columnsOfItems(items: readonly ResourceItem[], order: ListingOrder): ListingColumns {
  const columns = createColumns(order)
  const entries = items.map(entryOfItem).sort((a, b) => compareEntries(order, a, b))
  appendRows(
    columns,
    entries.map((entry) => {
      const { name, sizeBytes, modifiedMs, type } = entry
      return [name, sizeBytes, modifiedMs, type, flagsOfEntry(entry)]
    }),
  )
  publishSummary(columns)
  return columns
}

const entryOfItem = (item: ResourceItem): ListedEntry => ({
  name: item.name,
  isFolder: item.isDir,
  isLink: item.isSymlink,
  isBroken: item.type === 'invalid_link',
  sizeBytes: item.size,
  modifiedMs: Date.parse(item.modified),
  type: fileTypeOf(item),
})

/** Shows the rows of a folder. Rows of the same folder in another order keep what is selected. */
export function showRows(path: SharePath, columns: ListingColumns): void {
  const before = guestListing.columns.get()
  guestListing.selection.set((now) =>
    now.folder === path ? carrySelection(now, before, columns) : selectionIn(path),
  )
  guestListing.columns.set(columns)
}

/** Forgets what is selected, because the folder is left. */
export const leaveRows = (): void => guestListing.selection.set(noSelection)
