import type { ListingColumns } from '../../../listing/rows/columns.ts'
import { newRows } from '../../../listing/rows/new-rows.ts'

/** The time for which a row is marked as new, in milliseconds. The animation in the style sheet takes the same time. */
const markMs = 3000

/** Marks rows as new for a moment. */
export function markNewRows(columns: ListingColumns, ids: readonly number[]): void {
  newRows.set((current) => ({
    listing: columns,
    ids: new Set([...(current.listing === columns ? current.ids : []), ...ids]),
  }))
  setTimeout(() => {
    newRows.set((current) => {
      if (current.listing !== columns) return current
      return { listing: columns, ids: new Set([...current.ids].filter((id) => !ids.includes(id))) }
    })
  }, markMs)
}
