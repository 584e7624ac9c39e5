import type { GridView } from '../grid/grid-view.ts'
import type { ListingColumns } from '../rows/columns.ts'
import { datedColumnsOf } from './dated-columns.ts'
import type { FolderTakenTimes, TakenTimes } from './taken-times.ts'

/** The times of the folders that were shown last, by their keys. */
export type KnownTimes = ReadonlyMap<string, FolderTakenTimes>

/** A folder, as far as the order of its rows depends on it. `key` is that of the times of its pictures. */
export type OrderedFolder = {
  readonly key: string
  readonly columns: ListingColumns
  readonly view: GridView
}

/** Returns the times by which a gallery by date is sorted in the place of the last changes. Undefined for all other folders. */
export const timesFor = (
  { key, sortedBy, view }: Omit<OrderedFolder, 'columns'> & Pick<ListingColumns, 'sortedBy'>,
  known: KnownTimes,
): TakenTimes | undefined =>
  view === 'gallery' && sortedBy.by === 'modified' ? known.get(key)?.times : undefined

/** Returns the rows of a folder in the order in which the folder shows them. */
export function shownOrderOf(folder: OrderedFolder, known: KnownTimes): ListingColumns {
  const { columns, ...facts } = folder
  const times = timesFor({ ...facts, sortedBy: columns.sortedBy }, known)
  return times === undefined ? columns : datedColumnsOf(columns, times)
}
