import type { RefObject } from 'react'
import { t } from '../../../i18n/translate.ts'
import type { GridHandle } from '../../../listing/grid/grid-handle.ts'
import { removeRows, renameRow, updateRows } from '../../../listing/rows/column-changes.ts'
import type { ListingColumns } from '../../../listing/rows/columns.ts'
import { announce } from '../../../state/announcements.ts'
import type { ReceivedChanges } from '../../../state/open-folder.ts'
import { selection } from '../../../state/selection.ts'
import { keepRowInPlace } from './keep-row-in-place.ts'
import { markNewRows } from './mark-new-rows.ts'

export type ReceivingFolder = {
  readonly columns: ListingColumns
  /** The rows on screen: all rows, or the rows that match the search. */
  readonly shown: ListingColumns
  readonly grid: RefObject<GridHandle | null>
  /** Applies a change that returns the ids of removed rows, and removes these rows from the selection. */
  readonly change: (apply: () => readonly number[]) => void
}

/**
 * Applies changes that were made elsewhere to the rows of a folder, in their order. Announces the number of selected
 * entries when selected entries were removed.
 */
export function receiveChanges(
  { columns, shown, grid, change }: ReceivingFolder,
  changes: readonly ReceivedChanges[],
): void {
  const selectedBefore = selection.get().chosen.count
  keepRowInPlace(shown, grid, () => change(() => changes.flatMap((one) => applyChanges(columns, one))))
  const { count } = selection.get().chosen
  if (count < selectedBefore) announce(t('listing.selected', { count }))
}

/** Returns the ids of removed rows. */
function applyChanges(
  columns: ListingColumns,
  { renamed, entries, removed }: ReceivedChanges,
): readonly number[] {
  const replacedIds = renamed.flatMap(({ from, to }) => renameRow(columns, from, to))
  const removedIds = removeRows(columns, removed)
  const insertedIds = updateRows(columns, entries)
  if (insertedIds.length > 0) markNewRows(columns, insertedIds)
  return [...replacedIds, ...removedIds]
}
