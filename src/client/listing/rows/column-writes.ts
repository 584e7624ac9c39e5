import { bytesOfName } from '../../../shared/domain/name-bytes.ts'
import { fileTypes, type FileType } from '../../../shared/domain/file-types.ts'
import type { ListingRow } from '../../../shared/contract/resources.ts'
import { type AnnouncedTotals, type ListingColumns, flagFolder, publishSummary } from './columns.ts'

export type RowValues = {
  readonly name: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** The index of the file type in `fileTypes`, or -1 for an unknown type. */
  readonly type: number
  readonly flags: number
}

const encoder = new TextEncoder()

/**
 * Sets the number of rows that will arrive. With this number, the scrollbar has its final size from the start, and the
 * arrays are resized only once.
 */
export function announceTotals(columns: ListingColumns, announced: AnnouncedTotals): void {
  columns.announced = announced
  reserveRows(columns, announced.total)
  publishSummary(columns)
}

/**
 * Appends rows in the order in which the server sends them. The caller publishes the summary after a batch of calls.
 */
export function appendRows(columns: ListingColumns, rows: readonly ListingRow[]): void {
  reserveRows(columns, columns.ids + rows.length)
  for (const [name, sizeBytes, modifiedMs, type, flags] of rows) {
    const id = putRow(columns, {
      name,
      sizeBytes,
      modifiedMs,
      type: fileTypes.indexOf(type as FileType),
      flags,
    })
    if (columns.order !== null) columns.order[columns.count] = id
    columns.count += 1
    if ((flags & flagFolder) !== 0) columns.folders += 1
  }
}

/** Marks the listing as complete: no further rows will arrive. */
export function finishColumns(columns: ListingColumns): void {
  columns.announced = null
  publishSummary(columns)
}

/** Writes a row into the arrays and returns its id. The caller has to assign the row a position on screen. */
export function putRow(columns: ListingColumns, row: RowValues): number {
  reserveRows(columns, columns.ids + 1)
  const id = columns.ids
  columns.ids += 1
  writeValues(columns, id, row)
  putName(columns, id, row.name)
  return id
}

/** Writes all values of a row except its name. */
export function writeValues(columns: ListingColumns, id: number, row: Omit<RowValues, 'name'>): void {
  columns.sizes[id] = row.sizeBytes
  columns.modified[id] = row.modifiedMs
  columns.types[id] = Math.max(row.type, 0)
  columns.flags[id] = row.flags
}

/** Returns true when a row has these values already. */
export const hasValues = (columns: ListingColumns, id: number, row: Omit<RowValues, 'name'>): boolean =>
  columns.sizes[id] === row.sizeBytes &&
  columns.modified[id] === row.modifiedMs &&
  columns.types[id] === Math.max(row.type, 0) &&
  columns.flags[id] === row.flags

/** Writes the name of a row. The bytes of the row's previous name remain in the array, unused. */
export function putName(columns: ListingColumns, id: number, name: string): void {
  // A UTF-16 code unit takes at most three bytes of UTF-8.
  const maxEnd = columns.namesEnd + name.length * 3
  if (maxEnd > columns.names.length)
    columns.names = enlarged(columns.names, Math.max(maxEnd, columns.names.length * 1.5))
  columns.nameStart[id] = columns.namesEnd
  columns.nameBytes[id] = writeName(columns, name)
  columns.namesEnd += columns.nameBytes[id]
}

/**
 * Appends a name to the array of names and returns its length in bytes. Names that are not valid Unicode keep their
 * original bytes.
 */
function writeName({ names, namesEnd }: ListingColumns, name: string): number {
  if (name.isWellFormed()) return encoder.encodeInto(name, names.subarray(namesEnd)).written
  const bytes = bytesOfName(name) ?? encoder.encode(name)
  names.set(bytes, namesEnd)
  return bytes.length
}

function reserveRows(columns: ListingColumns, rows: number): void {
  if (rows <= columns.flags.length) return
  const length = Math.max(rows, columns.flags.length * 2)
  columns.nameStart = enlarged(columns.nameStart, length)
  columns.nameBytes = enlarged(columns.nameBytes, length)
  columns.sizes = enlarged(columns.sizes, length)
  columns.modified = enlarged(columns.modified, length)
  columns.types = enlarged(columns.types, length)
  columns.flags = enlarged(columns.flags, length)
  if (columns.order !== null) columns.order = enlarged(columns.order, length)
}

type NumericArray = Uint8Array | Uint16Array | Uint32Array | Float64Array

function enlarged<N extends NumericArray>(old: N, length: number): N {
  const larger = new (old.constructor as new (length: number) => N)(Math.ceil(length))
  larger.set(old)
  return larger
}
