import { addRows, emptyRowSet, rowsIn } from '../../state/row-set.ts'
import { type Selection, selectAll } from '../../state/selection.ts'
import { type ListingColumns, idAt, idOfName, nameOfId } from './columns.ts'
import { rowOrderOfColumns } from './folder-rows.ts'

/** In a larger folder, where all rows are selected, all new rows are selected, because comparing their names takes too long. */
const maxNamedRows = 1000

/** Transfers a selection to newly fetched rows of the same folder. Rows are matched by name. */
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
  if (current.chosen.count > maxNamedRows && current.chosen.count === from.count)
    return selectAll(current, rowOrderOfColumns(to)).chosen
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
