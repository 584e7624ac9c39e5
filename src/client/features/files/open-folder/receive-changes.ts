import { removeRows, renameRow, updateRows } from '../../../listing/rows/column-changes.ts'
import { changeRows } from '../../../listing/grid/change-rows.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import type { ListingColumns } from '../../../listing/rows/columns.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import type { ReceivingFolder } from './listed-folder.ts'
import { keepRowInPlace } from './keep-row-in-place.ts'
import { markNewRows } from './mark-new-rows.ts'
import { reportRemovedRows } from './report-removed-rows.ts'

/** Changes of a folder that were made elsewhere: new names of rows, the present state of entries, and removed names. */
export type ReceivedChanges = {
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  readonly entries: readonly ListedEntry[]
  readonly removed: readonly string[]
}

/**
 * Applies changes that were made elsewhere to the rows of a folder, in their order. The row under the pointer, or else the
 * first row on screen, stays where it is, and new rows are marked for a moment. Reports removed rows that were selected or
 * had the focus. The rows are changed before this function returns: a change that is shown later
 * could bring back a row that the user has removed meanwhile.
 */
export function receiveChanges(
  { columns, shown }: ReceivingFolder,
  changes: readonly ReceivedChanges[],
): void {
  const before = folderListing.selection.get()
  const removedIds: number[] = []
  const apply = (): readonly number[] =>
    changes.flatMap((one) => {
      const applied = applyChanges(columns, one)
      removedIds.push(...applied.removedIds)
      return [...applied.replacedIds, ...applied.removedIds]
    })
  keepRowInPlace(shown, () => changeRows(folderListing, apply))
  reportRemovedRows(columns, removedIds, before)
}

/** Returns the ids of the rows that others have replaced, and of those that were removed. */
function applyChanges(
  columns: ListingColumns,
  { renamed, entries, removed }: ReceivedChanges,
): { readonly replacedIds: readonly number[]; readonly removedIds: readonly number[] } {
  const replacedIds = renamed.flatMap(({ from, to }) => renameRow(columns, from, to))
  const removedIds = removeRows(columns, removed)
  const insertedIds = updateRows(columns, entries)
  if (insertedIds.length > 0) markNewRows(columns, insertedIds)
  return { replacedIds, removedIds }
}
