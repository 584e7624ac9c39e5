import { type FileType, fileTypes } from '../../../shared/domain/file-types.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { rowsIn, visitRows, type RowSet } from '../../state/row-set.ts'
import type { RowOrder } from '../../state/selection.ts'
import { useStore } from '../../state/store.ts'
import {
  type ListingColumns,
  type ColumnsSummary,
  entryAt,
  entryOfId,
  idAt,
  idOfName,
  indexOfId,
  isFolderId,
  nameOfId,
  totalOf,
} from './columns.ts'

/**
 * The rows of a folder as components see them. The counts are immutable, and the functions read the current state of
 * the columns. Components get a new object after each change of the columns, so that React and its compiler recompute
 * everything that was derived from the previous object.
 */
export type FolderRows = RowOrder & {
  readonly summary: ColumnsSummary
  readonly sortedBy: ListingOrder
  /** The identity of the listing: the same object across local changes, and a new object after a reload. */
  readonly listing: object
  /** Returns undefined while the row has not arrived. */
  readonly entryAt: (index: number) => ListedEntry | undefined
  /** Returns the type of a file, or an empty string for a folder. */
  readonly typeAt: (index: number) => FileType
  /**
   * Returns the time by which an entry that has arrived is sorted, in ms since 1970: that of its last change, or the one at which a
   * photo was taken.
   */
  readonly dateAt: (index: number) => number
  /**
   * Returns the name under which a row is stored, which is the path of the entry among the results of a search. Empty while
   * the row has not arrived.
   */
  readonly nameAt: (index: number) => string
  /** Returns -1 when no row is stored under the name. */
  readonly indexOfName: (name: string) => number
  readonly entriesOf: (selected: RowSet) => readonly ListedEntry[]
  /** Returns the total size of the selected files in bytes. Folders add nothing to the total. */
  readonly bytesOf: (selected: RowSet) => number
}

/** Subscribes a component to the rows of a folder. */
export function useFolderRows(columns: ListingColumns): FolderRows {
  const summary = useStore(columns.summary)
  return createFolderRows(columns, summary)
}

/** Returns the rows at the time of the call, for use in event handlers. */
export const currentRows = (columns: ListingColumns): FolderRows =>
  createFolderRows(columns, columns.summary.get())

const createFolderRows = (columns: ListingColumns, summary: ColumnsSummary): FolderRows => ({
  ...rowOrderOfColumns(columns),
  summary,
  sortedBy: columns.sortedBy,
  listing: columns,
  entryAt: (index) => entryAt(columns, index),
  typeAt: (index) => fileTypes[columns.types[idAt(columns, index)] ?? 0] ?? '',
  dateAt: (index) => (columns.dates ?? columns.modified)[idAt(columns, index)] ?? 0,
  nameAt: (index) => nameOfId(columns, idAt(columns, index)),
  indexOfName: (name) => indexOfId(columns, idOfName(columns, name)),
  entriesOf: (selected) => entriesIn(columns, selected),
  bytesOf: (selected) => bytesIn(columns, selected),
})

/** Returns the row order of columns, in the form that the selection functions require. */
export const rowOrderOfColumns = (columns: ListingColumns): RowOrder => ({
  total: () => totalOf(columns),
  idAt: (index) => idAt(columns, index),
  indexOfId: (id) => indexOfId(columns, id),
  isOrderedById: () => columns.order === null,
})

/**
 * For selections of up to this many rows, the entry objects are created immediately. For larger selections of a
 * complete listing they are created on first use.
 */
const maxEagerEntries = 100

/**
 * Returns the selected entries. The objects of a large selection are created when the first of them is accessed,
 * because the header and the selection bar need only the number of entries. Announced rows that have not arrived have
 * no entry, so while rows are arriving the number of entries is only known from the entries themselves.
 */
function entriesIn(columns: ListingColumns, selected: RowSet): readonly ListedEntry[] {
  if (selected.count <= maxEagerEntries || columns.announced !== null)
    return [...entriesOf(columns, selected)]
  let entries: readonly ListedEntry[] | null = null
  return new Proxy<readonly ListedEntry[]>([], {
    get: (_, key) => {
      if (key === 'length') return selected.count
      if (key === Symbol.iterator) return () => entriesOf(columns, selected)
      entries ??= [...entriesOf(columns, selected)]
      return Reflect.get(entries, key) as unknown
    },
    has: (_, key) => Number(key) < selected.count || Reflect.has([], key),
  })
}

function* entriesOf(columns: ListingColumns, selected: RowSet): Generator<ListedEntry> {
  for (const id of rowsIn(selected)) if (id < columns.ids) yield entryOfId(columns, id)
}

/**
 * Caches the total size of each selection: two components show the same total, and adding up a million rows takes
 * several milliseconds.
 */
const sums = new WeakMap<
  RowSet,
  { readonly columns: ListingColumns; readonly edits: number; readonly bytes: number }
>()

function bytesIn(columns: ListingColumns, selected: RowSet): number {
  const cached = sums.get(selected)
  if (cached?.columns === columns && cached.edits === columns.edits && columns.announced === null)
    return cached.bytes
  let bytes = 0
  visitRows(selected, (id) => {
    if (!isFolderId(columns, id)) bytes += columns.sizes[id] ?? 0
  })
  sums.set(selected, { columns, edits: columns.edits, bytes })
  return bytes
}
