import { twinsOf } from '../../../../shared/domain/names.ts'
import { idAt, type ListingColumns, nameOfId } from '../../../listing/rows/columns.ts'

/** In a larger folder, comparing all names would delay the rows. Comparing this number of names takes about 10 ms. */
const maxComparedRows = 20_000

type TwinRows = { readonly edits: number; readonly count: number; readonly names: ReadonlySet<string> }

const known = new WeakMap<ListingColumns, TwinRows>()

/** Returns true when a folder has another entry whose name looks the same and has other characters. */
export function hasTwinIn(columns: ListingColumns, name: string): boolean {
  if (/^[\0-\x7f]*$/.test(name)) return false
  const { edits, count } = columns
  const before = known.get(columns)
  if (before?.edits === edits && before.count === count) return before.names.has(name)
  const names = twinNamesIn(columns)
  known.set(columns, { edits, count, names })
  return names.has(name)
}

function twinNamesIn(columns: ListingColumns): ReadonlySet<string> {
  if (columns.count > maxComparedRows) return new Set()
  const all = new Set(
    Array.from({ length: columns.count }, (_, index) => nameOfId(columns, idAt(columns, index))),
  )
  return new Set([...all].filter((name) => twinsOf(name).some((twin) => all.has(twin))))
}
