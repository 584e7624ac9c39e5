import { bytesOfName, nameOfBytes } from '../../../shared/domain/name-bytes.ts'
import { fileTypes, type FileType } from '../../../shared/domain/file-kind.ts'
import type { Order } from '../../../shared/domain/sorting.ts'
import type { Row } from '../../../shared/contract/resources.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { createStore, type Store } from '../../state/store.ts'

/**
 * A folder as columns instead of objects: a million rows take about 50 MB and none of them is an object until it is shown.
 * Row ids are positions in the columns; `order` says which row stands where, and is null while both are the same.
 * Changed in place; `version` tells when.
 */
export type Columns = {
  /** How the rows are sorted; new ones go where it says. */
  readonly sortedBy: Order
  readonly version: Store<number>
  /** Ids given so far, also to rows that have left. */
  ids: number
  /** Rows on screen. */
  count: number
  folders: number
  /** Changes made here since the rows came: with any, they are no longer what the server's tag stands for. */
  edits: number
  /** What the server announced, for the part that is still to arrive; null when everything is here. */
  announced: { readonly total: number; readonly folders: number } | null
  order: Uint32Array | null
  names: Uint8Array
  namesEnd: number
  nameStart: Uint32Array
  nameBytes: Uint16Array
  sizes: Float64Array
  modified: Float64Array
  types: Uint8Array
  flags: Uint8Array
}

export const flagFolder = 1
const flagLink = 2
const flagBroken = 4
const startRows = 256
const startNameBytes = 8192
const encoder = new TextEncoder()

export const createColumns = (sortedBy: Order): Columns => ({
  sortedBy,
  version: createStore(0),
  ids: 0,
  count: 0,
  folders: 0,
  edits: 0,
  announced: null,
  order: null,
  names: new Uint8Array(startNameBytes),
  namesEnd: 0,
  nameStart: new Uint32Array(startRows),
  nameBytes: new Uint16Array(startRows),
  sizes: new Float64Array(startRows),
  modified: new Float64Array(startRows),
  types: new Uint8Array(startRows),
  flags: new Uint8Array(startRows),
})

/** Says how much will come, so that the scrollbar is right from the start and the columns grow once. */
export function announce(
  columns: Columns,
  announced: { readonly total: number; readonly folders: number },
): void {
  columns.announced = announced
  reserveRows(columns, announced.total)
}

/** Puts rows at the end, as they come from the server. Whoever adds the last piece of a batch calls `touch`. */
export function appendRows(columns: Columns, rows: readonly Row[]): void {
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

/** Everything that was announced is here. */
export function finishColumns(columns: Columns): void {
  columns.announced = null
  touch(columns)
}

export const touch = (columns: Columns): void => columns.version.set((now) => now + 1)

export const totalOf = ({ announced, count }: Columns): number => Math.max(announced?.total ?? 0, count)
export const folderTotalOf = ({ announced, folders }: Columns): number =>
  Math.max(announced?.folders ?? 0, folders)

/** The id of the row at a place on screen; rows that are still to arrive have theirs already. */
export const idAt = ({ order, count, ids }: Columns, index: number): number =>
  order === null ? index : index < count ? (order[index] ?? -1) : ids + index - count

/** Where a row stands; -1 for one that has left or does not exist. */
export function indexOfId(columns: Columns, id: number): number {
  if (id < 0) return -1
  if (columns.order === null) return id < totalOf(columns) ? id : -1
  const place = columns.order.subarray(0, columns.count).indexOf(id)
  if (place !== -1 || id < columns.ids) return place
  const ahead = columns.count + id - columns.ids
  return ahead < totalOf(columns) ? ahead : -1
}

export function nameOfId({ names, nameStart, nameBytes }: Columns, id: number): string {
  const start = nameStart[id] ?? 0
  return nameOfBytes(names.subarray(start, start + (nameBytes[id] ?? 0)))
}

export const isFolderId = ({ flags }: Columns, id: number): boolean => ((flags[id] ?? 0) & flagFolder) !== 0

export function entryOfId(columns: Columns, id: number): ListedEntry {
  const flags = columns.flags[id] ?? 0
  return {
    name: nameOfId(columns, id),
    isFolder: (flags & flagFolder) !== 0,
    isLink: (flags & flagLink) !== 0,
    isBroken: (flags & flagBroken) !== 0,
    sizeBytes: columns.sizes[id] ?? 0,
    modifiedMs: columns.modified[id] ?? 0,
    type: fileTypes[columns.types[id] ?? 0] ?? '',
  }
}

/** The entry at a place on screen; undefined while it is still to arrive. */
export const entryAt = (columns: Columns, index: number): ListedEntry | undefined =>
  index >= 0 && index < columns.count ? entryOfId(columns, idAt(columns, index)) : undefined

/** The id of the row with exactly this name; -1 when there is none. A scan of lengths and bytes: 3 ms for a million. */
export function idOfName(columns: Columns, name: string): number {
  const bytes = bytesOfName(name)
  if (bytes === null) return -1
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    if (columns.nameBytes[id] === bytes.length && isNameAt(columns, id, bytes)) return id
  }
  return -1
}

/** About how much memory it takes. */
export const sizeOfColumns = (columns: Columns): number =>
  columns.names.byteLength + columns.nameStart.length * 24 + (columns.order?.byteLength ?? 0)

export type NewRow = {
  readonly name: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly type: number
  readonly flags: number
}

/** Writes a row into the columns and answers its id; where it stands is for the caller to say. */
export function putRow(columns: Columns, row: NewRow): number {
  reserveRows(columns, columns.ids + 1)
  const id = columns.ids
  columns.ids += 1
  columns.sizes[id] = row.sizeBytes
  columns.modified[id] = row.modifiedMs
  columns.types[id] = Math.max(row.type, 0)
  columns.flags[id] = row.flags
  putName(columns, id, row.name)
  return id
}

/** Writes a row's name; an earlier one stays behind unused. */
export function putName(columns: Columns, id: number, name: string): void {
  const most = columns.namesEnd + name.length * 3
  if (most > columns.names.length)
    columns.names = grown(columns.names, Math.max(most, columns.names.length * 1.5))
  columns.nameStart[id] = columns.namesEnd
  columns.nameBytes[id] = writeName(columns, name)
  columns.namesEnd += columns.nameBytes[id]
}

function writeName({ names, namesEnd }: Columns, name: string): number {
  if (name.isWellFormed()) return encoder.encodeInto(name, names.subarray(namesEnd)).written
  const bytes = bytesOfName(name) ?? encoder.encode(name)
  names.set(bytes, namesEnd)
  return bytes.length
}

function isNameAt({ names, nameStart }: Columns, id: number, bytes: Uint8Array): boolean {
  const start = nameStart[id] ?? 0
  for (let at = 0; at < bytes.length; at += 1) if (names[start + at] !== bytes[at]) return false
  return true
}

export function reserveRows(columns: Columns, rows: number): void {
  if (rows <= columns.flags.length) return
  const length = Math.max(rows, columns.flags.length * 2)
  columns.nameStart = grown(columns.nameStart, length)
  columns.nameBytes = grown(columns.nameBytes, length)
  columns.sizes = grown(columns.sizes, length)
  columns.modified = grown(columns.modified, length)
  columns.types = grown(columns.types, length)
  columns.flags = grown(columns.flags, length)
  if (columns.order !== null) columns.order = grown(columns.order, length)
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

function grown<N extends Numbers>(old: N, length: number): N {
  const larger = new (old.constructor as new (length: number) => N)(Math.ceil(length))
  larger.set(old)
  return larger
}
