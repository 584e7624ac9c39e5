import { compareNames } from '../../../shared/domain/sorting.ts'
import { createStore } from '../../state/store.ts'
import { type ListingColumns, idAt, isFolderId, nameOfId, publishSummary } from '../rows/columns.ts'
import type { TakenTimes } from './taken-times.ts'

/** The columns that show the rows of a folder by the times of its pictures. */
type DatedColumns = { times: TakenTimes; shown: ListingColumns }

const dated = new WeakMap<ListingColumns, DatedColumns>()

/**
 * Returns columns in which the files are sorted by the time at which they were taken, where it is known, and by their last change
 * otherwise. They share the arrays and the ids of `source`, so a selection applies to both, and follow its changes. `source` must be
 * sorted by the last change. For other times the result is another object, so that a grid keeps its place as after a reload.
 */
export function datedColumnsOf(source: ListingColumns, times: TakenTimes): ListingColumns {
  if (times.size === 0 || source.announced !== null) return source
  const known = dated.get(source)
  if (known?.times === times) return known.shown
  const shown = { ...source, summary: createStore(source.summary.get()) }
  sortByDate(source, shown, times)
  if (known === undefined) {
    const made: DatedColumns = { times, shown }
    dated.set(source, made)
    source.summary.subscribe(() => sortByDate(source, made.shown, made.times))
  } else Object.assign(known, { times, shown })
  return shown
}

/** Sorts the rows of `source` into `shown`. References to the arrays are copied as well, because the source replaces them. */
function sortByDate(source: ListingColumns, shown: ListingColumns, times: TakenTimes): void {
  const { sortedBy, summary: _, ...state } = source
  const dates = source.modified.slice()
  const order = new Uint32Array(source.flags.length)
  let folders = 0
  let files = source.folders
  for (let index = 0; index < source.count; index += 1) {
    const id = idAt(source, index)
    if (isFolderId(source, id)) {
      order[folders] = id
      folders += 1
      continue
    }
    order[files] = id
    files += 1
    dates[id] = times.get(nameOfId(source, id)) ?? dates[id] ?? 0
  }
  order.subarray(source.folders, source.count).sort((a, b) => {
    const difference = (dates[a] ?? 0) - (dates[b] ?? 0)
    if (difference === 0) return compareNames(nameOfId(source, a), nameOfId(source, b))
    return sortedBy.descending ? -difference : difference
  })
  Object.assign(shown, state, { dates, order })
  publishSummary(shown)
}
