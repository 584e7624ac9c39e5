import { call } from '../../../api/call.ts'
import type { GridView } from '../../../listing/grid/grid-view.ts'
import type { ListingColumns } from '../../../listing/rows/columns.ts'
import { compareEntries } from '../../../listing/rows/compare-entries.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import { MonthScrubber } from '../../../listing/scrubber/month-scrubber.tsx'
import { type KnownTimes, shownOrderOf, timesFor } from '../../../listing/taken/shown-order.ts'
import { takenTimes } from '../../../listing/taken/taken-times.ts'
import { useGalleryFacts } from '../../../listing/tiles/use-gallery-facts.ts'
import { useTileZoom } from '../../../listing/view/use-tile-zoom.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { entrySorter, type EntrySorter } from '../entry-sorter.ts'
import { guestListing, proposedView } from '../guest-listing.ts'
import { guestViews, viewOf } from '../guest-view.ts'
import type { SharePath } from '../share-address.ts'
import { sortedEntries } from '../sorted-entries.ts'
import { shareTokenOf } from './shared-token.ts'

/** The paths of users begin with a slash, so the key of a shared folder is another one. */
const keyOf = (path: SharePath): string => `share${path}`

type SharedDatesProps = {
  readonly path: SharePath
  readonly rows: FolderRows
  readonly view: GridView
}

/**
 * Loads the times and the proportions of the pictures in a shared folder, and renders the scroll bar by months beside them. Lets the
 * mouse wheel and the keyboard change the size of the gallery's tiles.
 */
export function SharedDates({ path, rows, view }: SharedDatesProps) {
  useGalleryFacts({
    key: keyOf(path),
    listing: guestListing,
    rows,
    isGallery: view === 'gallery',
    mayRequest: true,
    request: (signal) =>
      call('public.taken', { path, query: { sizes: 'true', token: shareTokenOf(path) }, signal }),
  })
  useTileZoom(guestListing, view === 'gallery' && rows.summary.total > 0)
  return <MonthScrubber listing={guestListing} rows={rows} />
}

/** Returns the rows of a shared folder in the order in which the folder shows them. */
export const sharedOrderOf = (
  path: SharePath,
  columns: ListingColumns,
  view: GridView,
  known: KnownTimes,
): ListingColumns => shownOrderOf({ key: keyOf(path), columns, view }, known)

/** Sorts the entries of a gallery by date by the times at which its pictures were taken. */
const sortLikeFolder: EntrySorter = (items, order, path) => {
  const view = viewOf(guestViews.get(), path) ?? proposedView(items)
  const entries = sortedEntries(items, order)
  const times = timesFor({ key: keyOf(path), sortedBy: order, view }, takenTimes.get())
  if (times === undefined) return entries
  const dated = (entry: ListedEntry): ListedEntry => ({
    ...entry,
    modifiedMs: times.get(entry.name) ?? entry.modifiedMs,
  })
  return entries.toSorted((a, b) => compareEntries(order, dated(a), dated(b)))
}

// The links of an open photo to the other ones follow the gallery.
entrySorter.set(() => sortLikeFolder)
