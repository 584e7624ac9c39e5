import { useEffect } from 'react'
import { type Path, root } from '../../../../shared/domain/path.ts'
import { call } from '../../../api/call.ts'
import type { ActionContext } from '../../../actions/action.ts'
import { activeListing, folderListing } from '../../../listing/grid/shown-listings.ts'
import type { ListingColumns } from '../../../listing/rows/columns.ts'
import { lastOrder } from '../../../listing/rows/last-order.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import { MonthScrubber } from '../../../listing/scrubber/month-scrubber.tsx'
import { useGalleryFacts } from '../../../listing/tiles/use-gallery-facts.ts'
import { contextMenu } from '../../../state/context-menu.ts'
import { detailsPane, detailsQuery } from '../../../state/device/details-pane.ts'
import { useViewMode } from '../../../state/device/folder-views.ts'
import { firstHints, firstUserId } from '../../../state/device/first-hints.ts'
import { lazyPart } from '../../../state/parts/lazy-part.ts'
import { addRecentPlace } from '../../../state/recent-places.ts'
import { useMay, useUser } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { useMedia } from '../../../ui/measuring/use-media.ts'
import { closeNameGaps } from '../../../ui/name-gaps.ts'
import { ContextMenu } from '../../context-menu/context-menu.tsx'
import { FirstHints } from '../hints/first-hints.tsx'
import { QuickLook } from '../quick-look/quick-look.tsx'
import { GalleryProposal } from '../view/gallery-proposal.tsx'
import { EmptyFolder } from './empty-folder.tsx'
import { useBadges } from '../badges/use-badges.ts'
import { focusRowOf, useFocusReturn } from '../open-folder/use-focus-return.ts'
import { SelectionBar } from './selection-bar.tsx'
import { TypeAheadChip } from './type-ahead-chip.tsx'
import { useListingAnnouncement, type ListingAnnouncement } from './use-listing-announcement.ts'

/** The details beside the list, whose code is loaded when they are first shown. */
const DetailsPane = lazyPart(async () => (await import('../../facts/details-pane.tsx')).DetailsPane)

type ListingLayersProps = ListingAnnouncement & {
  /** The context of actions in the open folder. */
  readonly context: ActionContext
  /** The context of the actions for entries while results of a search are selected, or null. */
  readonly results: ActionContext | null
  readonly rows: FolderRows
  readonly isPhone: boolean
  readonly columns: ListingColumns
}

/**
 * Renders what lies above the rows: the letters that the user types, the bar of the selection, the quick look and the context menu.
 */
export function ListingLayers({ context, results, rows, isPhone, columns, ...listing }: ListingLayersProps) {
  const entryContext = results ?? context
  const active = useStore(activeListing)
  useFocusReturn(active)
  useEffect(() => lastOrder.set(rows.sortedBy), [rows.sortedBy])
  const isDetailsOn = useStore(detailsPane) === 'on'
  const hasDetails = useMedia(detailsQuery) && isDetailsOn
  const isLooking = useStore(active.quickLook) !== 'closed'
  useListingAnnouncement(listing)
  useRecentFolder(listing.path)
  const place = useStore(contextMenu)
  useClosedNameGaps()
  useBadges(columns)
  // The results of a search stand at the same place as the hints.
  const isSearching = useStore(folderListing.filter) !== null
  const { path } = listing
  useGalleryFacts({
    key: path,
    listing: folderListing,
    rows,
    isGallery: useViewMode(path) === 'mosaic gallery',
    mayRequest: useMay()('download') && !isSearching,
    request: (signal) => call('preview.taken', { path, isFolder: true, query: { sizes: 'true' }, signal }),
  })
  const hasHints = useFirstHints() && listing.path === root && !isSearching
  return (
    <>
      {rows.summary.total === 0 && !isSearching && <EmptyFolder context={context} rows={rows} />}
      <TypeAheadChip />
      {!isSearching && <GalleryProposal path={listing.path} rows={rows} />}
      {!isSearching && <MonthScrubber listing={folderListing} rows={rows} />}
      {hasHints && !isPhone && !hasDetails && <FirstHints isEmpty={rows.summary.total === 0} />}
      <SelectionBar context={entryContext} rows={rows} isPhone={isPhone} />
      {hasDetails && (
        <DetailsPane
          folder={entryContext.folder}
          selected={entryContext.selected}
          onFocusLost={() => focusRowOf(active)}
        />
      )}
      {isLooking && <QuickLook key={active.id} listing={active} />}
      {place !== null && <ContextMenu place={place} context={context} />}
    </>
  )
}

/** Returns true for the first administrator, until the hints were closed on this device. */
function useFirstHints(): boolean {
  const state = useStore(firstHints)
  return useUser()?.id === firstUserId && state === 'open'
}

function useClosedNameGaps(): void {
  useEffect(() => {
    const area = document.querySelector('main')
    return area === null ? undefined : closeNameGaps(area)
  }, [])
}

/** Adds the open folder to the recent places. */
function useRecentFolder(path: Path): void {
  useEffect(() => addRecentPlace({ path, isFolder: true }), [path])
}
