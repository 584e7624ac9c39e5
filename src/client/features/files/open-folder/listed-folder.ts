import type { Path } from '../../../../shared/domain/path.ts'
import {
  idsByName,
  insertRows,
  removeRows,
  renameRow,
  updateRows,
} from '../../../listing/rows/column-changes.ts'
import { type ListingColumns, idOfName } from '../../../listing/rows/columns.ts'
import { currentRows, rowOrderOfColumns } from '../../../listing/rows/folder-rows.ts'
import { changeRows } from '../../../listing/grid/change-rows.ts'
import { setMultipleMode } from '../../../listing/grid/select-in-lists.ts'
import {
  activeListing,
  escapeSelections,
  folderListing,
  selectAllRows,
  shownListings,
} from '../../../listing/grid/shown-listings.ts'
import { keyOfEntry } from '../../../state/listed-entry.ts'
import type { OpenFolder, RefusedEntry } from '../../../state/open-folder.ts'
import { hasRow, rowsIn } from '../../../state/row-set.ts'
import { focusRow, invert, selectIds } from '../../../state/selection.ts'
import { filesAfterRows } from '../parts/load-after-rows.ts'
import { addressLoader } from './address-loader.ts'
import { wantedOrder } from './wanted-order.ts'

const { selection, grid } = folderListing

export type ListedFolderDependencies = {
  readonly folder: Path
  /** All rows of the folder. */
  readonly columns: ListingColumns
  /** The rows on screen: all rows, or the rows that match the search. */
  readonly shown: ListingColumns
  /** Selects rows and focuses the first of them, now or as soon as they have arrived. */
  readonly onReveal: (...names: readonly string[]) => void
}

/** Changes rows, and returns the ids of rows. */
type ColumnsChange = (columns: ListingColumns) => readonly number[]

/** Creates the object with which actions and operations read and change the folder on screen. */
export function createListedFolder({
  folder,
  columns,
  shown,
  onReveal,
}: ListedFolderDependencies): OpenFolder {
  /**
   * Applies a change of this tab to the rows on screen. The loader applies `again` to rows that were requested before the
   * change had ended. These rows may lack the change or contain it already, and the result has to be the same.
   */
  const changeOwn = (apply: ColumnsChange, again: ColumnsChange = apply): void => {
    addressLoader.recordChange(folder, again)
    changeRows(folderListing, () => apply(columns))
  }
  const listed: OpenFolder = {
    folder,
    has: (name) => idOfName(columns, name) !== -1,
    presentNames: (names) => new Set(idsByName(columns, names).keys()),
    insert: (entries) =>
      changeOwn(
        (rows) => insertRows(rows, entries),
        (rows) => updateRows(rows, entries),
      ),
    remove: (names) => changeOwn((rows) => removeRows(rows, names)),
    rename: (from, to) => changeOwn((rows) => renameRow(rows, from, to)),
    watchFetches: addressLoader.watchFetches,
    reload: addressLoader.reload,
    focus: onReveal,
    showFailures: (refusals) => {
      const names = showFailures(folder, columns, refusals)
      if (names.length > 0 && mayTakeFocus()) onReveal(...names)
    },
    selected: () => currentRows(columns).entriesOf(selection.get().chosen),
    selectAll: selectAllRows,
    invertSelection: () => {
      const listing = activeListing.get()
      listing.selection.set((current) => invert(current, rowOrderOfColumns(listing.columns.get())))
    },
    clearSelection: escapeSelections,
    toggleMultiple: () => {
      const isMultiple = !selection.get().isMultiple
      setMultipleMode(shownListings, isMultiple)
    },
    quickLook: () => {
      const listing = activeListing.get()
      const { chosen, focusId } = listing.selection.get()
      const first = rowsIn(chosen).next()
      if (first.done !== true && !hasRow(chosen, focusId))
        listing.selection.set((current) => focusRow(current, first.value))
      listing.quickLook.set('open')
    },
    get sortedBy() {
      return wantedOrder.get() ?? columns.sortedBy
    },
    sortBy: async (by) => (await filesAfterRows.load()).sortBy(by, listed.sortedBy),
    showView: async (mode) => (await filesAfterRows.load()).rememberView(folder, mode),
    counts: columns.summary,
  }
  receivingFolders.set(listed, { columns, shown })
  return listed
}

/** The rows of a folder on screen, as the changes that are made elsewhere need them. */
export type ReceivingFolder = Pick<ListedFolderDependencies, 'columns' | 'shown'>

const receivingFolders = new WeakMap<OpenFolder, ReceivingFolder>()

/** Returns the rows of a folder that `createListedFolder` has created, or null for any other folder. */
export const receivingFolderOf = (open: OpenFolder): ReceivingFolder | null =>
  receivingFolders.get(open) ?? null

/** Shows the reasons in the rows and selects the rows. Returns their names. */
function showFailures(
  folder: Path,
  columns: ListingColumns,
  refusals: readonly RefusedEntry[],
): readonly string[] {
  folderListing.failures.set(
    new Map(refusals.map(({ entry, reason }) => [keyOfEntry(entry, folder), reason])),
  )
  if (refusals.length === 0) return []
  const ids = refusals.map(({ entry }) => idOfName(columns, entry.name)).filter((id) => id !== -1)
  selection.set((current) => selectIds(current, ids))
  return refusals.map(({ entry }) => entry.name)
}

/** Returns true while the focus is in the list or nowhere, so that moving it to a row disturbs nobody. */
const mayTakeFocus = (): boolean =>
  document.activeElement === document.body ||
  grid.current?.element()?.contains(document.activeElement) === true
