import { folderListing } from '../../../listing/grid/shown-listings.ts'
import type { ListingColumns } from '../../../listing/rows/columns.ts'

/** The time for which a row is marked as new, in milliseconds. The animation in the style sheet takes the same time. */
const markMs = 3000

const { newRows } = folderListing

/** Marks rows as new for a moment. */
export function markNewRows(columns: ListingColumns, ids: readonly number[]): void {
  newRows.set((current) => ({
    columns,
    ids: new Set([...(current.columns === columns ? current.ids : []), ...ids]),
  }))
  setTimeout(() => {
    newRows.set((current) => {
      if (current.columns !== columns) return current
      return { columns, ids: new Set([...current.ids].filter((id) => !ids.includes(id))) }
    })
  }, markMs)
}
