import { fileTypes } from '../../../shared/domain/file-types.ts'
import { flagsOfEntry, type ListedEntry } from '../../state/listed-entry.ts'
import { hasValues, putName, putRow, writeValues } from './column-writes.ts'
import { compareEntries } from './compare-entries.ts'
import {
  type ListingColumns,
  entryOfId,
  idAt,
  idOfName,
  isFolderId,
  nameOfId,
  publishSummary,
} from './columns.ts'

/**
 * For fewer names than this, the rows are scanned once per name. From this number on, one pass that decodes the name of
 * every row is faster.
 */
const maxScannedNames = 16

/**
 * Inserts entries at the positions that the sort order determines. A row that has the name of a new entry is removed.
 * Returns the ids of removed rows.
 */
export function insertRows(columns: ListingColumns, entries: readonly ListedEntry[]): readonly number[] {
  const names = entries.map(({ name }) => name)
  const removedIds = removeIds(columns, idsOfNames(columns, names))
  for (const entry of entries) {
    const type = fileTypes.indexOf(entry.type)
    insertInOrder(columns, putRow(columns, { ...entry, type, flags: flagsOfEntry(entry) }))
  }
  recordEdit(columns)
  return removedIds
}

/**
 * Shows the current state of entries: the rows with their names get the new values and keep their ids, and entries without
 * a row are inserted. Returns the ids of the inserted rows.
 */
export function updateRows(columns: ListingColumns, entries: readonly ListedEntry[]): readonly number[] {
  const ids = idsByName(
    columns,
    entries.map(({ name }) => name),
  )
  const changed = entries
    .map((entry) => ({
      id: ids.get(entry.name) ?? -1,
      values: { ...entry, type: fileTypes.indexOf(entry.type), flags: flagsOfEntry(entry) },
    }))
    .filter(({ id, values }) => id === -1 || !hasValues(columns, id, values))
  if (changed.length === 0) return []
  removeIds(columns, new Set(changed.map(({ id }) => id)))
  const insertedIds: number[] = []
  for (const { id, values } of changed) {
    if (id === -1) insertedIds.push(putRow(columns, values))
    else writeValues(columns, id, values)
    insertInOrder(columns, id === -1 ? (insertedIds.at(-1) ?? -1) : id)
  }
  recordEdit(columns)
  return insertedIds
}

/** Removes the rows with these names and ignores names without a row. Returns the ids of removed rows. */
export function removeRows(columns: ListingColumns, names: readonly string[]): readonly number[] {
  const removedIds = removeIds(columns, idsOfNames(columns, names))
  if (removedIds.length > 0) recordEdit(columns)
  return removedIds
}

/**
 * Renames a row and moves it to its new position without changing its id. If another row already has the new name, that
 * row is removed. Returns the ids of removed rows.
 */
export function renameRow(columns: ListingColumns, from: string, to: string): readonly number[] {
  const id = idOfName(columns, from)
  if (id === -1 || from === to) return []
  const removedIds = removeIds(columns, idsOfNames(columns, [to]))
  removeIds(columns, new Set([id]))
  putName(columns, id, to)
  insertInOrder(columns, id)
  recordEdit(columns)
  return removedIds
}

function recordEdit(columns: ListingColumns): void {
  columns.edits += 1
  publishSummary(columns)
}

const idsOfNames = (columns: ListingColumns, names: readonly string[]): ReadonlySet<number> =>
  new Set(idsByName(columns, names).values())

/** Returns the ids of the rows with these names, by name. Names without a row are left out. */
export function idsByName(columns: ListingColumns, names: readonly string[]): ReadonlyMap<string, number> {
  if (names.length < maxScannedNames)
    return new Map(
      names.map((name) => [name, idOfName(columns, name)] as const).filter(([, id]) => id !== -1),
    )
  const wanted = new Set(names)
  const ids = new Map<string, number>()
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    const name = nameOfId(columns, id)
    if (wanted.has(name)) ids.set(name, id)
  }
  return ids
}

/**
 * Removes rows from the screen. While rows are still arriving, the announced totals are reduced by the number of
 * removed rows.
 */
function removeIds(columns: ListingColumns, ids: ReadonlySet<number>): readonly number[] {
  if (ids.size === 0 || (ids.size === 1 && ids.has(-1))) return []
  const order = ensureOrder(columns)
  const before = columns.count
  let kept = 0
  let folders = 0
  for (let index = 0; index < before; index += 1) {
    const id = order[index] ?? 0
    if (ids.has(id)) continue
    order[kept] = id
    kept += 1
    folders += Number(isFolderId(columns, id))
  }
  adjustAnnounced(columns, kept - before, folders - columns.folders)
  columns.count = kept
  columns.folders = folders
  return [...ids]
}

/** Inserts a row that is not on screen at the position that the sort order determines. */
function insertInOrder(columns: ListingColumns, id: number): void {
  const order = ensureOrder(columns)
  const index = positionFor(columns, id)
  order.copyWithin(index + 1, index, columns.count)
  order[index] = id
  columns.count += 1
  const folders = Number(isFolderId(columns, id))
  columns.folders += folders
  adjustAnnounced(columns, 1, folders)
}

function adjustAnnounced(columns: ListingColumns, rows: number, folders: number): void {
  const { announced } = columns
  if (announced === null) return
  columns.announced = { total: announced.total + rows, folders: announced.folders + folders }
}

/** Returns the array of ids by position. Creates the array if this is the first local change. */
function ensureOrder(columns: ListingColumns): Uint32Array {
  if (columns.order !== null) return columns.order
  const order = new Uint32Array(columns.flags.length)
  for (let index = 0; index < columns.count; index += 1) order[index] = index
  columns.order = order
  return order
}

/** Returns the first position whose row sorts after the given row, found by binary search. */
function positionFor(columns: ListingColumns, id: number): number {
  const entry = entryOfId(columns, id)
  let low = 0
  let high = columns.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareEntries(columns.sortedBy, entryOfId(columns, idAt(columns, middle)), entry) <= 0)
      low = middle + 1
    else high = middle
  }
  return low
}
