import { fileTypes } from '../../../shared/domain/file-types.ts'
import { isWithin, nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { compareNames, rowOrderOf, type SortKey } from '../../../shared/domain/sorting.ts'
import { flagsOfEntry, type ListedEntry } from '../../state/listed-entry.ts'
import { createStore } from '../../state/store.ts'
import { putName, putRow } from './column-writes.ts'
import { type ListingColumns, createColumns, idAt, isFolderId, nameOfId, publishSummary } from './columns.ts'

/** An entry below the searched folder whose name matches the search. */
export type FoundEntry = ListedEntry & { readonly folder: Path; readonly path: Path }

/** The order of results: by a column of the list, or by the folders that contain them. */
export type FoundOrder = { readonly by: SortKey | 'folder'; readonly descending: boolean }

/**
 * Creates columns without rows for the results of a search. The name of a row is the path of its entry, because results
 * in different folders can have the same name.
 */
export const createFoundColumns = (): ListingColumns => ({
  ...createColumns(rowOrderOf({ by: 'name', asc: false })),
  order: new Uint32Array(0),
})

/**
 * Adds results below those that are on screen, so that no row moves while somebody reaches for it. Folders are added to the
 * folders, which are the first rows in every order.
 */
export function appendFound(columns: ListingColumns, entries: readonly FoundEntry[]): void {
  for (const { path, ...entry } of entries) {
    const type = fileTypes.indexOf(entry.type)
    const id = putRow(columns, { ...entry, name: path, type, flags: flagsOfEntry(entry) })
    if (columns.order === null || columns.order.length < columns.flags.length)
      columns.order = enlarged(columns.order, columns.flags.length)
    const index = entry.isFolder ? columns.folders : columns.count
    columns.order.copyWithin(index + 1, index, columns.count)
    columns.order[index] = id
    columns.count += 1
    columns.folders += Number(entry.isFolder)
  }
  publishSummary(columns)
}

function enlarged(order: Uint32Array | null, length: number): Uint32Array {
  const larger = new Uint32Array(length)
  if (order !== null) larger.set(order)
  return larger
}

/** Sorts the rows. Their ids stay the same, so the same results stay selected. */
export function sortFound(columns: ListingColumns, { by, descending }: FoundOrder): void {
  const rows = Array.from({ length: columns.count }, (_, index) => {
    const id = idAt(columns, index)
    const path = pathOfId(columns, id)
    return { id, name: nameOf(path), folder: parentOf(path), isFolder: isFolderId(columns, id) }
  })
  type Row = (typeof rows)[number]
  const byFolder = (a: Row, b: Row): number =>
    (a.folder === b.folder ? 0 : compareNames(a.folder, b.folder)) || compareNames(a.name, b.name)
  const values = by === 'size' ? columns.sizes : columns.modified
  const byColumn = (a: Row, b: Row): number => {
    if (by === 'folder') return byFolder(a, b)
    // Sizes of folders are not on screen, so they do not count.
    if (by === 'name' || (by === 'size' && a.isFolder)) return compareNames(a.name, b.name)
    return (values[a.id] ?? 0) - (values[b.id] ?? 0)
  }
  const sign = descending ? -1 : 1
  rows.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || sign * byColumn(a, b) || byFolder(a, b))
  columns.order?.set(rows.map(({ id }) => id))
  publishSummary(columns)
}

/** Returns columns with the rows whose path matches. They share the ids of the other columns, which must not change any more. */
export function filterFound(columns: ListingColumns, isKept: (path: Path) => boolean): ListingColumns {
  const filtered = {
    ...columns,
    summary: createStore(columns.summary.get()),
    order: columns.order?.slice() ?? null,
  }
  keepRows(filtered, isKept)
  return filtered
}

/** Removes the entries at the paths, and everything below them. Returns the ids of the removed rows. */
export const removeFound = (columns: ListingColumns, paths: readonly Path[]): readonly number[] =>
  keepRows(columns, (path) => !paths.some((removed) => isWithin(path, removed)))

/** Changes the path of an entry, and of everything below it, after the entry was renamed. The rows stay where they are. */
export function renameFound(columns: ListingColumns, from: Path, to: Path): void {
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    const path = pathOfId(columns, id)
    if (isWithin(path, from)) putName(columns, id, `${to}${path.slice(from.length)}`)
  }
  publishSummary(columns)
}

/** Removes the rows that a test does not accept. Returns their ids. */
export function keepRows(columns: ListingColumns, isKept: (path: Path) => boolean): readonly number[] {
  const removedIds: number[] = []
  const { order, count } = columns
  if (order === null) return removedIds
  columns.count = 0
  columns.folders = 0
  for (let index = 0; index < count; index += 1) {
    const id = order[index] ?? 0
    if (!isKept(pathOfId(columns, id))) removedIds.push(id)
    else {
      order[columns.count] = id
      columns.count += 1
      columns.folders += Number(isFolderId(columns, id))
    }
  }
  publishSummary(columns)
  return removedIds
}

/** Returns the paths of the results in the order on screen. */
export function* pathsOfFound(columns: ListingColumns): Generator<Path> {
  for (let index = 0; index < columns.count; index += 1) yield pathOfId(columns, idAt(columns, index))
}

const pathOfId = (columns: ListingColumns, id: number): Path => nameOfId(columns, id) as Path
