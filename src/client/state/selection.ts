import type { Path } from '../../shared/domain/path.ts'
import {
  addRow,
  addRows,
  dropRows,
  emptySet,
  firstRows,
  hasRow,
  rowsIn,
  toggleRow,
  type RowSet,
} from './row-set.ts'
import { createStore } from './store.ts'

/** What is chosen in a folder. Rows are named by their ids, so that sorting and renaming keep it. */
export type Selection = {
  /** The folder it belongs to: it ends with the folder's view. */
  readonly folder: Path | null
  readonly chosen: RowSet
  /** Where a range begins; -1 when there is none. */
  readonly anchorId: number
  /** The row with the keyboard; -1 when there is none. */
  readonly focusId: number
  /** "Multiple selection enabled": plain clicks toggle. */
  readonly isMultiple: boolean
}

/** The part of a folder's rows that selecting needs. */
export type RowOrder = {
  readonly total: () => number
  readonly idAt: (index: number) => number
  readonly indexOfId: (id: number) => number
}

export const noSelection: Selection = {
  folder: null,
  chosen: emptySet,
  anchorId: -1,
  focusId: -1,
  isMultiple: false,
}

export const selection = createStore<Selection>(noSelection)

export const isChosen = (now: Selection, id: number): boolean => hasRow(now.chosen, id)

/** A folder's view begins: nothing is chosen. */
export const selectionIn = (folder: Path): Selection => ({ ...noSelection, folder })

/** Only this row; it becomes the anchor and has the focus. */
export const selectOnly = (now: Selection, id: number): Selection => ({
  ...now,
  chosen: addRow(emptySet, id),
  anchorId: id,
  focusId: id,
})

/** One row more or less; one that is chosen now becomes the anchor. */
export function toggle(now: Selection, id: number): Selection {
  const chosen = toggleRow(now.chosen, id)
  return { ...now, chosen, anchorId: hasRow(chosen, id) ? id : -1, focusId: id }
}

/**
 * The range from the anchor to here, in the order of the screen: instead of what was chosen, or added to it. Without an anchor
 * it begins at the first chosen row, else at the focus.
 */
export function extendTo(
  now: Selection,
  rows: RowOrder,
  to: { readonly id: number; readonly isAdded: boolean },
): Selection {
  const from = rows.indexOfId(startOfRange(now))
  const here = rows.indexOfId(to.id)
  const begin = from === -1 ? here : from
  const ids = idsBetween(rows, Math.min(begin, here), Math.max(begin, here) + 1)
  const chosen = addRows(to.isAdded ? now.chosen : emptySet, ids)
  return { ...now, chosen, anchorId: rows.idAt(begin), focusId: to.id }
}

function startOfRange({ anchorId, chosen, focusId }: Selection): number {
  if (anchorId !== -1) return anchorId
  const first = rowsIn(chosen).next()
  return first.done === true ? focusId : first.value
}

/** The rows with these indexes, for a rubber band: `kept` is what was chosen when it began. */
export const selectIndexes = (
  now: Selection,
  rows: RowOrder,
  { indexes, kept }: { readonly indexes: readonly number[]; readonly kept: RowSet },
): Selection => ({
  ...now,
  chosen: addRows(
    kept,
    indexes.map((index) => rows.idAt(index)),
  ),
})

/** As `selectIndexes`, but rows that were chosen when it began are chosen no longer. */
export function toggleIndexes(
  now: Selection,
  rows: RowOrder,
  { indexes, kept }: { readonly indexes: readonly number[]; readonly kept: RowSet },
): Selection {
  const ids = indexes.map((index) => rows.idAt(index))
  const fresh = ids.filter((id) => !hasRow(kept, id))
  return { ...now, chosen: addRows(dropRows(kept, ids), fresh) }
}

/** Everything in the folder. */
export function selectAll(now: Selection, rows: RowOrder): Selection {
  const total = rows.total()
  const isPlain = total === 0 || (rows.idAt(0) === 0 && rows.idAt(total - 1) === total - 1)
  return { ...now, chosen: isPlain ? firstRows(total) : addRows(emptySet, idsBetween(rows, 0, total)) }
}

/** What was not chosen. */
export function invert(now: Selection, rows: RowOrder): Selection {
  const all = selectAll(now, rows).chosen
  const bits = all.bits.map((word, at) => word & ~(now.chosen.bits[at] ?? 0))
  return { ...now, chosen: { bits, count: all.count - now.chosen.count } }
}

export const clearSelection = (now: Selection): Selection => ({ ...now, chosen: emptySet, anchorId: -1 })

/** Esc: first nothing is chosen, then the multiple mode ends. */
export const escapeSelection = (now: Selection): Selection =>
  now.chosen.count > 0 ? clearSelection(now) : { ...now, isMultiple: false }

export const focusRow = (now: Selection, id: number): Selection => ({ ...now, focusId: id })

export const setMultiple = (now: Selection, isMultiple: boolean): Selection => ({ ...now, isMultiple })

/** Without the rows that have left. */
export function withoutRows(now: Selection, ids: readonly number[]): Selection {
  const chosen = dropRows(now.chosen, ids)
  return { ...now, chosen, anchorId: ids.includes(now.anchorId) ? -1 : now.anchorId }
}

function* idsBetween(rows: RowOrder, from: number, to: number): Generator<number> {
  for (let index = Math.max(from, 0); index < to; index += 1) yield rows.idAt(index)
}
