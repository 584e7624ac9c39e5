import { addRows, emptySet, rowsIn } from '../../state/row-set.ts'
import { type Selection, selectAll } from '../../state/selection.ts'
import { type Columns, idAt, idOfName, nameOfId } from './columns.ts'
import { rowOrderOfColumns } from './folder-rows.ts'

/** The selection in other rows of the same folder: what has the same name is the same. */
export function carrySelection(now: Selection, from: Columns, to: Columns): Selection {
  const same = (id: number): number => (id === -1 || id >= from.ids ? -1 : idOfName(to, nameOfId(from, id)))
  return { ...now, chosen: carried(now, from, to), anchorId: same(now.anchorId), focusId: same(now.focusId) }
}

function carried(now: Selection, from: Columns, to: Columns): Selection['chosen'] {
  if (now.chosen.count === 0) return emptySet
  if (now.chosen.count === from.count) return selectAll(now, rowOrderOfColumns(to)).chosen
  const names = new Set<string>()
  for (const id of rowsIn(now.chosen)) if (id < from.ids) names.add(nameOfId(from, id))
  return addRows(emptySet, idsOf(to, names))
}

function* idsOf(columns: Columns, names: ReadonlySet<string>): Generator<number> {
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    if (names.has(nameOfId(columns, id))) yield id
  }
}
