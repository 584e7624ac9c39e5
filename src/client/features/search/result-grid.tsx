import { useEffect, useLayoutEffect, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { Grid } from '../../listing/grid/grid.tsx'
import { gridViewOf } from '../../listing/grid/grid-view.ts'
import { activeListing, folderListing, foundListing } from '../../listing/grid/shown-listings.ts'
import { currentRows, useFolderRows } from '../../listing/rows/folder-rows.ts'
import { type ListColumn, listColumns } from '../../listing/sizes/column-widths.ts'
import { thumbnailOf } from '../../operations/thumbnails/thumbnail-address.ts'
import { entryUrl } from '../../router/entry-url.ts'
import { navigate, withBase } from '../../router/router.ts'
import { useViewMode } from '../../state/device/folder-views.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { searchInput } from '../../state/search-text.ts'
import { clearSelection } from '../../state/selection.ts'
import { useMay } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { PlaceCell } from './place-cell.tsx'
import { placeLabel } from './place-label.ts'
import { type FolderSearch, foundOrder, sortResults } from './searcher.ts'

const [nameColumn, ...factColumns] = listColumns
/** The columns of the list of results. */
export const foundColumns: readonly ListColumn[] = [
  nameColumn,
  { by: 'folder', label: 'kind.folder' },
  ...factColumns,
]

/** Renders the hits of a search as the rows of the folder are rendered, with the folder of each hit. */
export function ResultGrid({ search }: { readonly search: FolderSearch }) {
  const { folder, text } = search
  const rows = useFolderRows(search.columns)
  const view = gridViewOf(useViewMode(folder))
  const mayDownload = useMay()('download')
  const order = useStore(foundOrder)
  useEffect(() => leaveResults, [])
  useSavedPosition(`${folder}\n${text}`)
  if (rows.summary.total === 0) return null
  return (
    <Grid
      listing={foundListing}
      label={t('search.below')}
      rows={rows}
      columns={foundColumns}
      order={order}
      view={view}
      isBusy={search.state === 'running'}
      hrefOf={(entry) => (entry.isFolder ? withBase(entryUrl(folder, entry)) : '')}
      thumbnailOf={(entry, size) => (mayDownload && thumbnailOf(entry.folder ?? folder, entry, size)) || ''}
      place={{
        render: (entry) => <PlaceCell entry={entry} searched={folder} />,
        textOf: (entry) => placeLabel(entry, folder),
      }}
      onSort={sortResults}
      onFocus={() => activeListing.set(foundListing)}
      onOpen={(index) => {
        const entry = rows.entryAt(index)
        if (entry !== undefined) navigate(entryUrl(folder, entry))
      }}
    />
  )
}

/** Deselects the results, because results that are not on screen stay out of the actions. */
function leaveResults(): void {
  foundListing.selection.set(clearSelection)
  activeListing.set(folderListing)
}

/** The position in the results of a search. The Back button restores it. */
type ResultsPosition = {
  readonly key: string
  readonly topPx: number
  /** True when a result had the focus. It gets the focus again when the results are shown again. */
  readonly hadFocus: boolean
}

const position = createPersonalStore<ResultsPosition>({ key: '', topPx: 0, hadFocus: false })

/** Restores the scroll position and the focus when the user comes back to the results, and saves them when they are left. */
function useSavedPosition(key: string): void {
  const { grid, columns, selection } = foundListing
  const saved = useRef(position.get())
  useLayoutEffect(() => {
    const { key: savedKey, topPx, hadFocus } = saved.current
    if (savedKey !== key) return undefined
    // A microtask runs before the first paint. The folder gives the focus to a row in one as well, so the result is later.
    queueMicrotask(() => grid.current?.scrollTo(topPx))
    const timer = setTimeout(() => {
      const index = currentRows(columns.get()).indexOfId(selection.get().focusId)
      // The results are shown anew, too, when the user types another text and comes back to this one.
      if (hadFocus && index !== -1 && document.activeElement !== searchInput())
        grid.current?.focusInPlace(index)
    })
    return () => clearTimeout(timer)
  }, [key, grid, columns, selection])
  useLayoutEffect(
    () => () => {
      const hadFocus = grid.current?.element()?.contains(document.activeElement) === true
      position.set({ key, topPx: grid.current?.topPx() ?? 0, hadFocus })
    },
    [key, grid],
  )
}
