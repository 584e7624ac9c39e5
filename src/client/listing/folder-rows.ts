import type { ListedEntry } from '../state/listed-entry.ts'
import { rowsIn, type RowSet } from '../state/row-set.ts'
import type { RowOrder } from '../state/selection.ts'
import { type Columns, entryOfId, idAt, indexOfId, isFolderId, totalOf } from './columns.ts'

/** The order of the rows, as selecting needs it. */
export const rowOrderOfColumns = (columns: Columns): RowOrder => ({
  total: () => totalOf(columns),
  idAt: (index) => idAt(columns, index),
  indexOfId: (id) => indexOfId(columns, id),
})

/** The chosen entries. They are made when somebody looks at them: verbs mostly ask how many there are. */
export function entriesIn(columns: Columns, chosen: RowSet): readonly ListedEntry[] {
  let made: readonly ListedEntry[] | null = null
  const make = (): readonly ListedEntry[] => {
    made ??= Array.from(rowsIn(chosen))
      .filter((id) => id < columns.ids)
      .map((id) => entryOfId(columns, id))
    return made
  }
  if (chosen.count < 1000) return make()
  return new Proxy<readonly ListedEntry[]>([], {
    get: (_, key) => (key === 'length' ? chosen.count : (Reflect.get(make(), key) as unknown)),
    has: (_, key) => Reflect.has(make(), key),
  })
}

/** How many bytes the chosen files have. */
export function bytesIn(columns: Columns, chosen: RowSet): number {
  let bytes = 0
  for (const id of rowsIn(chosen)) if (!isFolderId(columns, id)) bytes += columns.sizes[id] ?? 0
  return bytes
}
