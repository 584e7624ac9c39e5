import { addRows, dropRows, hasRow, type RowSet } from '../../state/row-set.ts'
import type { RowOrder, Selection } from '../../state/selection.ts'

/** Selects the rows with the given indexes, which the selection rectangle covers, in addition to the rows in `kept`. */
export const selectIndexes = (
  current: Selection,
  rows: RowOrder,
  { indexes, kept }: { readonly indexes: readonly number[]; readonly kept: RowSet },
): Selection => ({
  ...current,
  chosen: addRows(
    kept,
    indexes.map((index) => rows.idAt(index)),
  ),
})

/**
 * Toggles the rows with the given indexes, which the selection rectangle covers. `kept` contains the rows that were
 * selected before the drag.
 */
export function toggleIndexes(
  current: Selection,
  rows: RowOrder,
  { indexes, kept }: { readonly indexes: readonly number[]; readonly kept: RowSet },
): Selection {
  const ids = indexes.map((index) => rows.idAt(index))
  const fresh = ids.filter((id) => !hasRow(kept, id))
  return { ...current, chosen: addRows(dropRows(kept, ids), fresh) }
}
