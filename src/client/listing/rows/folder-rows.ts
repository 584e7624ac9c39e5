import type { ListedEntry } from '../../state/listed-entry.ts'
import { rowsIn, type RowSet } from '../../state/row-set.ts'
import type { RowOrder } from '../../state/selection.ts'
import { type Columns, entryOfId, idAt, indexOfId, isFolderId, totalOf } from './columns.ts'

/** The order of the rows, as selecting needs it. */
export const rowOrderOfColumns = (columns: Columns): RowOrder => ({
  total: () => totalOf(columns),
  idAt: (index) => idAt(columns, index),
  indexOfId: (id) => indexOfId(columns, id),
})

/**
 * The chosen entries. Many of them are made only when somebody looks: verbs ask how many there are, and for the first one.
 */
export function entriesIn(columns: Columns, chosen: RowSet): readonly ListedEntry[] {
  if (chosen.count < 100) return [...entriesOf(columns, chosen)]
  let made: readonly ListedEntry[] | null = null
  return new Proxy<readonly ListedEntry[]>([], {
    get: (_, key) => {
      if (key === 'length') return chosen.count
      if (key === Symbol.iterator) return () => entriesOf(columns, chosen)
      made ??= [...entriesOf(columns, chosen)]
      return Reflect.get(made, key) as unknown
    },
    has: (_, key) => Number(key) < chosen.count || Reflect.has([], key),
  })
}

function* entriesOf(columns: Columns, chosen: RowSet): Generator<ListedEntry> {
  for (const id of rowsIn(chosen)) if (id < columns.ids) yield entryOfId(columns, id)
}

/** Sums by selection: two places show the same one, and a million rows take some 20 ms. */
const sums = new WeakMap<
  RowSet,
  { readonly columns: Columns; readonly edits: number; readonly bytes: number }
>()

/** How many bytes the chosen files have. */
export function bytesIn(columns: Columns, chosen: RowSet): number {
  const known = sums.get(chosen)
  if (known?.columns === columns && known.edits === columns.edits && columns.announced === null)
    return known.bytes
  let bytes = 0
  for (const id of rowsIn(chosen)) if (!isFolderId(columns, id)) bytes += columns.sizes[id] ?? 0
  sums.set(chosen, { columns, edits: columns.edits, bytes })
  return bytes
}
