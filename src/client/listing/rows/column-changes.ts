import { fileTypes } from '../../../shared/domain/file-kind.ts'
import { compareNames } from '../../../shared/domain/sorting.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import {
  type Columns,
  flagFolder,
  idAt,
  idOfName,
  isFolderId,
  nameOfId,
  putName,
  putRow,
  touch,
} from './columns.ts'

/** Puts entries where the sorting wants them; one that is here under the same name leaves. Answers the ids that left. */
export function insertEntries(columns: Columns, entries: readonly ListedEntry[]): readonly number[] {
  const gone = takeOut(
    columns,
    idsOfNames(
      columns,
      entries.map(({ name }) => name),
    ),
  )
  for (const entry of entries) {
    place(columns, putRow(columns, { ...entry, type: fileTypes.indexOf(entry.type), flags: flagsOf(entry) }))
  }
  changed(columns)
  return gone
}

/** Takes rows out by name; names that are not here are ignored. Answers the ids that left. */
export function removeEntries(columns: Columns, names: readonly string[]): readonly number[] {
  const gone = takeOut(columns, idsOfNames(columns, names))
  if (gone.length > 0) changed(columns)
  return gone
}

/** Gives a row another name and place; its id stays. A row that had that name leaves. Answers the ids that left. */
export function renameEntry(columns: Columns, from: string, to: string): readonly number[] {
  const id = idOfName(columns, from)
  if (id === -1 || from === to) return []
  const gone = takeOut(columns, idsOfNames(columns, [to]))
  takeOut(columns, new Set([id]))
  putName(columns, id, to)
  place(columns, id)
  changed(columns)
  return gone
}

function changed(columns: Columns): void {
  columns.edits += 1
  touch(columns)
}

const flagsOf = ({ isFolder, isLink, isBroken }: ListedEntry): number =>
  Number(isFolder) + Number(isLink) * 2 + Number(isBroken) * 4

/** One by one for a few names; in one pass for many. */
function idsOfNames(columns: Columns, names: readonly string[]): ReadonlySet<number> {
  if (names.length < 16)
    return new Set(names.map((name) => idOfName(columns, name)).filter((id) => id !== -1))
  const wanted = new Set(names)
  const ids = new Set<number>()
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    if (wanted.has(nameOfId(columns, id))) ids.add(id)
  }
  return ids
}

/** Rows that leave while others still arrive are no longer announced either. */
function takeOut(columns: Columns, ids: ReadonlySet<number>): readonly number[] {
  if (ids.size === 0) return []
  const order = ownOrder(columns)
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
  announceMore(columns, kept - before, folders - columns.folders)
  columns.count = kept
  columns.folders = folders
  return [...ids]
}

/** Gives a row that stands nowhere its place. */
function place(columns: Columns, id: number): void {
  const order = ownOrder(columns)
  const index = placeOf(columns, id)
  order.copyWithin(index + 1, index, columns.count)
  order[index] = id
  columns.count += 1
  const folders = Number(isFolderId(columns, id))
  columns.folders += folders
  announceMore(columns, 1, folders)
}

function announceMore(columns: Columns, rows: number, folders: number): void {
  const { announced } = columns
  if (announced === null) return
  columns.announced = { total: announced.total + rows, folders: announced.folders + folders }
}

function ownOrder(columns: Columns): Uint32Array {
  if (columns.order !== null) return columns.order
  const order = new Uint32Array(columns.flags.length)
  for (let index = 0; index < columns.count; index += 1) order[index] = index
  columns.order = order
  return order
}

/** The first place whose row belongs behind this one. */
function placeOf(columns: Columns, id: number): number {
  let low = 0
  let high = columns.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareRows(columns, idAt(columns, middle), id) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Folders first, then what the sorting says, then the name. */
function compareRows(columns: Columns, a: number, b: number): number {
  const { by, descending } = columns.sortedBy
  const folders = ((columns.flags[b] ?? 0) & flagFolder) - ((columns.flags[a] ?? 0) & flagFolder)
  if (folders !== 0) return folders
  const column = by === 'size' ? columns.sizes : columns.modified
  const difference = by === 'name' ? 0 : (column[a] ?? 0) - (column[b] ?? 0)
  const ascending = difference || compareNames(nameOfId(columns, a), nameOfId(columns, b))
  return descending ? -ascending : ascending
}
