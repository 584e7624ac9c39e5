import { useLayoutEffect } from 'react'
import { CloudOff } from 'lucide'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { resultContext } from '../../actions/page-context.ts'
import type { ListingColumns } from '../../listing/rows/columns.ts'
import { useFolderRows } from '../../listing/rows/folder-rows.ts'
import type { FolderView } from '../../listing/rows/folder-loader.ts'
import { Grid } from '../../listing/grid/grid.tsx'
import { useFilteredColumns } from '../../listing/grid/list-filter.ts'
import { gridViewOf } from '../../listing/grid/grid-view.ts'
import { activeListing, folderListing } from '../../listing/grid/shown-listings.ts'
import { takenTimes } from '../../listing/taken/taken-times.ts'
import { entryUrl } from '../../router/entry-url.ts'
import { withBase } from '../../router/router.ts'
import { closeContextMenu, contextMenu } from '../../state/context-menu.ts'
import { useViewMode } from '../../state/device/folder-views.ts'
import { openFolder } from '../../state/open-folder.ts'
import { useMay } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { WaitingMenu } from '../../ui/later-menu.ts'
import { Fill, Slot } from '../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { actionContextOf } from './open-folder/action-context.ts'
import { addressLoader } from './open-folder/address-loader.ts'
import { HeaderActions } from './bars/header-actions.tsx'
import { createListedFolder } from './open-folder/listed-folder.ts'
import { StatusBar } from './bars/status-bar.tsx'
import { openRow } from './keyboard/list-effects.ts'
import { useKeyboard } from './keyboard/use-keyboard.ts'
import { usePositionMemory } from './use-position-memory.ts'
import { useReveal } from './use-reveal.ts'
import styles from './files-screen.module.css'
import { filesAfterRows } from './parts/load-after-rows.ts'

/** The layers are not needed for the first rows. */
const ListingLayers = filesAfterRows.part((module) => module.ListingLayers, WaitingContextMenu)

type OpenFolderView = Extract<FolderView, { kind: 'folder' }>

type ListingScreenProps = {
  readonly view: OpenFolderView
  /** The folder of the address, to which the actions apply while its rows are loading and those of `view` are on screen. */
  readonly folder: Path
}

/** Renders an open folder with its actions, its banners, its rows and its status bar. */
export function ListingScreen({ view, folder }: ListingScreenProps) {
  const gridView = gridViewOf(useViewMode(view.path))
  const parts = filesAfterRows.useModule()
  const times = useStore(takenTimes)
  const { columns: all } = view.folder
  const sorted = parts?.shownOrderOf({ key: view.path, columns: all, view: gridView }, times) ?? all
  const columns = useFilteredColumns({ folder: view.path, columns: sorted })
  const rows = useFolderRows(columns)
  const isFiltered = columns !== sorted
  const isEmpty = rows.summary.total === 0
  const may = useMay()
  const mayDownload = may('download')
  const thumbnailOf = parts?.thumbnailOf
  const current = useStore(folderListing.selection)
  const isPhone = useMedia(mobileQuery)
  const rowContext = actionContextOf({ folder, rows, current, may })
  const results = useStore(resultContext)
  const onReveal = useReveal(columns)
  const onScroll = usePositionMemory({ folder: view.path, columns, isArriving: view.isArriving })
  useRegisteredFolder({ view, shown: columns, onReveal })

  useKeyboard(true)

  return (
    <>
      <h1 className="visually-hidden">{labelOf(view.path)}</h1>
      <HeaderActions context={rowContext} />
      {view.isStale && <StaleBanner />}
      {!isEmpty && (
        <Grid
          listing={folderListing}
          label={labelOf(view.path)}
          rows={rows}
          order={rows.sortedBy}
          view={gridView}
          isBusy={view.isArriving}
          cover={parts?.FolderCover}
          hrefOf={(entry) => (entry.isFolder ? withBase(entryUrl(view.path, entry)) : '')}
          thumbnailOf={(entry, size) => (mayDownload && thumbnailOf?.(view.path, entry, size)) || ''}
          onSort={(by) => by !== 'folder' && void openFolder.get()?.sortBy(by)}
          onFocus={() => activeListing.set(folderListing)}
          onScroll={onScroll}
          onOpen={(index) => openRow(folderListing, index)}
        />
      )}
      <Slot name="search-results" className={styles.results} />
      <ListingLayers
        context={rowContext}
        results={results}
        rows={rows}
        isPhone={isPhone}
        columns={columns}
        path={view.path}
        label={labelOf(view.path)}
        total={view.isArriving ? null : rows.summary.total}
      />
      <StatusBar rows={rows} isFiltered={isFiltered} view={gridView} />
    </>
  )
}

/** Holds the keys for a context menu that is opened before its code has come. */
function WaitingContextMenu() {
  return useStore(contextMenu) === null ? null : <WaitingMenu onClose={closeContextMenu} />
}

/** Renders a warning that the rows may be out of date, because the server could not be reached. */
const StaleBanner = () => (
  <Fill slot="page-notice">
    <Banner
      kind="warning"
      icon={CloudOff}
      isAlert
      actions={<Button onClick={addressLoader.reload}>{t('buttons.retry')}</Button>}
    >
      {t('errors.connection')}
    </Banner>
  </Fill>
)

const labelOf = (path: Path): string => visibleName(nameOf(path)) || t('shell.files')

type RegisteredFolderOptions = {
  readonly view: OpenFolderView
  /** The rows on screen: all rows of the folder, or the rows that match the search. */
  readonly shown: ListingColumns
  readonly onReveal: (...names: readonly string[]) => void
}

/** Registers the folder on screen as the open folder, which actions and operations use. */
function useRegisteredFolder({ view, shown, onReveal }: RegisteredFolderOptions): void {
  const { path, folder } = view
  const { columns } = folder
  useLayoutEffect(() => {
    const listed = createListedFolder({ folder: path, columns, shown, onReveal })
    openFolder.set(listed)
    return () => openFolder.set((current) => (current === listed ? null : current))
  }, [path, columns, shown, onReveal])
}
