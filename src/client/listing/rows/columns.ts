import { bytesOfName, nameOfBytes } from '../../../shared/domain/name-bytes.ts'
import { nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { fileTypes } from '../../../shared/domain/file-types.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import { type ListedEntry, readFlags } from '../../state/listed-entry.ts'
import { createStore, type Store } from '../../state/store.ts'

/**
 * The rows of a folder as typed arrays instead of objects: a million rows take about 50 MB, and an object for a row is
 * created only while the row is shown. The id of a row is its position in the arrays. `order` maps positions on screen
 * to ids. It is null as long as each position equals its id.
 *
 * Columns are changed in place. React and its compiler compare by identity, so a component never reads columns: it
 * subscribes to `summary`, which gets a new object after each change, and reads rows through `FolderRows`.
 */
export type ListingColumns = {
  /** The order by which the rows are sorted. New rows are inserted at their position in this order. */
  readonly sortedBy: ListingOrder
  readonly summary: Store<ColumnsSummary>
  /** The number of ids assigned so far. The ids of removed rows are not reused. */
  ids: number
  /** The number of rows on screen. */
  count: number
  /** The number of folders among the rows on screen. */
  folders: number
  /**
   * The number of local changes since the rows arrived. When it is not 0, the rows no longer match the server's entity
   * tag.
   */
  edits: number
  /** The totals that the server announced, while rows are still arriving. Null when the listing is complete. */
  announced: AnnouncedTotals | null
  order: Uint32Array | null
  names: Uint8Array
  namesEnd: number
  nameStart: Uint32Array
  nameBytes: Uint16Array
  sizes: Float64Array
  modified: Float64Array
  /** The times by which the files are sorted in place of `modified`. Columns that the server has sorted have none. */
  dates?: Float64Array
  types: Uint8Array
  flags: Uint8Array
}

export type AnnouncedTotals = { readonly total: number; readonly folders: number }

/** The counts of a folder. Each change of the columns creates a new frozen object. */
export type ColumnsSummary = {
  /** The number of rows, including announced rows that have not arrived yet. */
  readonly total: number
  /** The number of folders in `total`. */
  readonly folders: number
  /** The number of files in `total`. */
  readonly files: number
  /** The number of rows that have arrived. */
  readonly arrived: number
  /** False while rows are still arriving. */
  readonly isComplete: boolean
}

export const flagFolder = 1

/**
 * The initial capacity of new columns: the number of rows and the number of bytes for their names. The capacity is
 * sufficient for most folders and is doubled for larger folders.
 */
const initialRows = 256
const initialNameBytes = 8192

const emptySummary: ColumnsSummary = Object.freeze({
  total: 0,
  folders: 0,
  files: 0,
  arrived: 0,
  isComplete: true,
})

export const createColumns = (sortedBy: ListingOrder): ListingColumns => ({
  sortedBy,
  summary: createStore(emptySummary),
  ids: 0,
  count: 0,
  folders: 0,
  edits: 0,
  announced: null,
  order: null,
  names: new Uint8Array(initialNameBytes),
  namesEnd: 0,
  nameStart: new Uint32Array(initialRows),
  nameBytes: new Uint16Array(initialRows),
  sizes: new Float64Array(initialRows),
  modified: new Float64Array(initialRows),
  types: new Uint8Array(initialRows),
  flags: new Uint8Array(initialRows),
})

/**
 * Notifies subscribers that the columns have changed. Code that writes to columns calls this function once, after the
 * last write.
 */
export function publishSummary(columns: ListingColumns): void {
  const total = totalOf(columns)
  const folders = Math.max(columns.announced?.folders ?? 0, columns.folders)
  columns.summary.set(
    Object.freeze({
      total,
      folders,
      files: total - folders,
      arrived: columns.count,
      isComplete: columns.announced === null,
    }),
  )
}

/** Returns the number of rows, including announced rows that have not arrived yet. */
export const totalOf = ({ announced, count }: ListingColumns): number =>
  Math.max(announced?.total ?? 0, count)

/** Returns the id of the row at a position on screen. Announced rows have an id before they arrive. */
export const idAt = ({ order, count, ids }: ListingColumns, index: number): number =>
  order === null ? index : index < count ? (order[index] ?? -1) : ids + index - count

/** Returns the position of a row on screen, or -1 when the row was removed or does not exist. */
export function indexOfId(columns: ListingColumns, id: number): number {
  if (id < 0) return -1
  if (columns.order === null) return id < totalOf(columns) ? id : -1
  const index = columns.order.subarray(0, columns.count).indexOf(id)
  if (index !== -1 || id < columns.ids) return index
  const announcedIndex = columns.count + id - columns.ids
  return announcedIndex < totalOf(columns) ? announcedIndex : -1
}

export function nameOfId({ names, nameStart, nameBytes }: ListingColumns, id: number): string {
  const start = nameStart[id] ?? 0
  return nameOfBytes(names.subarray(start, start + (nameBytes[id] ?? 0)))
}

export const isFolderId = ({ flags }: ListingColumns, id: number): boolean =>
  ((flags[id] ?? 0) & flagFolder) !== 0

/** Returns the entry of a row. */
export function entryOfId(columns: ListingColumns, id: number): ListedEntry {
  const flags = columns.flags[id] ?? 0
  const name = nameOfId(columns, id)
  return {
    name: nameOf(name as Path),
    // The rows of several folders have the path of their entry as their name.
    ...(name.startsWith('/') && { folder: parentOf(name as Path) }),
    ...readFlags(flags),
    sizeBytes: columns.sizes[id] ?? 0,
    modifiedMs: columns.modified[id] ?? 0,
    type: fileTypes[columns.types[id] ?? 0] ?? '',
  }
}

/** Returns the entry at a position on screen, or undefined while its row has not arrived. */
export const entryAt = (columns: ListingColumns, index: number): ListedEntry | undefined =>
  index >= 0 && index < columns.count ? entryOfId(columns, idAt(columns, index)) : undefined

/**
 * Returns the id of the row with exactly this name, or -1. Compares the length and the bytes of each name, which takes
 * 3 ms for a million rows.
 */
export function idOfName(columns: ListingColumns, name: string): number {
  const bytes = bytesOfName(name)
  if (bytes === null) return -1
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    if (columns.nameBytes[id] === bytes.length && isNameAt(columns, id, bytes)) return id
  }
  return -1
}

function isNameAt({ names, nameStart }: ListingColumns, id: number, bytes: Uint8Array): boolean {
  const start = nameStart[id] ?? 0
  for (let at = 0; at < bytes.length; at += 1) if (names[start + at] !== bytes[at]) return false
  return true
}

/** Returns the approximate memory use of the columns in bytes. The numeric fields of a row take 24 bytes. */
export const sizeOfColumns = (columns: ListingColumns): number =>
  columns.names.byteLength + columns.nameStart.length * 24 + (columns.order?.byteLength ?? 0)
