import type { Path } from '../../shared/domain/path.ts'
import {
  addRow,
  addRows,
  dropRows,
  emptyRowSet,
  firstRows,
  hasRow,
  rowsIn,
  toggleRow,
  type RowSet,
} from './row-set.ts'

/**
 * The selected rows of a folder, its focused row and its anchor. Rows are identified by id, so that renaming keeps them
 * selected.
 */
export type Selection = {
  /** The folder to which the selection belongs. Opening another folder replaces the selection. */
  readonly folder: Path | null
  readonly chosen: RowSet
  /** The id of the row at which a range selection starts, or -1 without a start row. */
  readonly anchorId: number
  /** The id of the row that has the keyboard focus, or -1 when no row has the focus. */
  readonly focusId: number
  /** True in the multiple-selection mode, in which plain clicks toggle rows. */
  readonly isMultiple: boolean
}

/** The order of a folder's rows on screen. Range selections depend on it. */
export type RowOrder = {
  readonly total: () => number
  readonly idAt: (index: number) => number
  readonly indexOfId: (id: number) => number
  /** Returns true when the id of each row equals its position. */
  readonly isOrderedById: () => boolean
}

export const noSelection: Selection = {
  folder: null,
  chosen: emptyRowSet,
  anchorId: -1,
  focusId: -1,
  isMultiple: false,
}

export const isChosen = (current: Selection, id: number): boolean => hasRow(current.chosen, id)

/** Returns the empty selection of a folder that is opened. */
export const selectionIn = (folder: Path): Selection => ({ ...noSelection, folder })

/** Selects only this row, which becomes the anchor and gets the focus. */
export const selectOnly = (current: Selection, id: number): Selection => ({
  ...current,
  chosen: addRow(emptyRowSet, id),
  anchorId: id,
  focusId: id,
})

/** Selects exactly these rows. The focus stays. */
export const selectIds = (current: Selection, ids: readonly number[]): Selection => ({
  ...current,
  chosen: addRows(emptyRowSet, ids),
  anchorId: ids[0] ?? -1,
})

/** Selects or deselects one row. A newly selected row becomes the anchor. */
export function toggle(current: Selection, id: number): Selection {
  const chosen = toggleRow(current.chosen, id)
  return { ...current, chosen, anchorId: hasRow(chosen, id) ? id : -1, focusId: id }
}

/**
 * Selects the range of rows from the anchor to a row, instead of the previous selection or in addition to it. Without
 * an anchor the range starts at the first selected row, or else at the focused row.
 */
export function extendTo(
  current: Selection,
  rows: RowOrder,
  to: { readonly id: number; readonly isAdded: boolean },
): Selection {
  const from = rows.indexOfId(startOfRange(current))
  const here = rows.indexOfId(to.id)
  const begin = from === -1 ? here : from
  const ids = idsBetween(rows, Math.min(begin, here), Math.max(begin, here) + 1)
  const chosen = addRows(to.isAdded ? current.chosen : emptyRowSet, ids)
  return { ...current, chosen, anchorId: rows.idAt(begin), focusId: to.id }
}

function startOfRange({ anchorId, chosen, focusId }: Selection): number {
  if (anchorId !== -1) return anchorId
  const first = rowsIn(chosen).next()
  return first.done === true ? focusId : first.value
}

/** Selects all rows of the folder. */
export function selectAll(current: Selection, rows: RowOrder): Selection {
  const total = rows.total()
  return {
    ...current,
    chosen: rows.isOrderedById() ? firstRows(total) : addRows(emptyRowSet, idsBetween(rows, 0, total)),
  }
}

/** Inverts the selection: selects exactly the rows that were not selected before. */
export function invert(current: Selection, rows: RowOrder): Selection {
  const all = selectAll(current, rows).chosen
  const bits = all.bits.map((word, at) => word & ~(current.chosen.bits[at] ?? 0))
  return { ...current, chosen: { bits, count: all.count - current.chosen.count } }
}

export const clearSelection = (current: Selection): Selection => ({
  ...current,
  chosen: emptyRowSet,
  anchorId: -1,
})

export const focusRow = (current: Selection, id: number): Selection => ({ ...current, focusId: id })

export const setMultiple = (current: Selection, isMultiple: boolean): Selection => ({
  ...current,
  isMultiple,
})

/** Deselects rows that were removed from the folder. */
export function withoutRows(current: Selection, ids: readonly number[]): Selection {
  const chosen = dropRows(current.chosen, ids)
  return { ...current, chosen, anchorId: ids.includes(current.anchorId) ? -1 : current.anchorId }
}

function* idsBetween(rows: RowOrder, from: number, to: number): Generator<number> {
  for (let index = Math.max(from, 0); index < to; index += 1) yield rows.idAt(index)
}
