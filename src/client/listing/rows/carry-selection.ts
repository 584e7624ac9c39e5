import { addRows, emptyRowSet, rowsIn } from '../../state/row-set.ts'
import type { Selection } from '../../state/selection.ts'
import { type ListingColumns, idAt, idOfName, nameOfId } from './columns.ts'

/**
 * Transfers a selection to newly fetched rows of the same folder. Rows are matched by name, also where all rows were selected:
 * an entry that somebody else has added meanwhile must not be removed with them. With a million selected rows, this takes about
 * a second.
 */
export function carrySelection(current: Selection, from: ListingColumns, to: ListingColumns): Selection {
  const idIn = (id: number): number => (id === -1 || id >= from.ids ? -1 : idOfName(to, nameOfId(from, id)))
  return {
    ...current,
    chosen: carryChosenRows(current, from, to),
    anchorId: idIn(current.anchorId),
    focusId: idIn(current.focusId),
  }
}

function carryChosenRows(current: Selection, from: ListingColumns, to: ListingColumns): Selection['chosen'] {
  if (current.chosen.count === 0) return emptyRowSet
  const names = new Set<string>()
  for (const id of rowsIn(current.chosen)) if (id < from.ids) names.add(nameOfId(from, id))
  return addRows(emptyRowSet, idsOf(to, names))
}

function* idsOf(columns: ListingColumns, names: ReadonlySet<string>): Generator<number> {
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    if (names.has(nameOfId(columns, id))) yield id
  }
}
