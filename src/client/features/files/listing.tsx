import { useEffect, useLayoutEffect, useRef } from 'react'
import { childOf, nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { entryAt, totalOf } from '../../listing/rows/columns.ts'
import { rowOrderOfColumns } from '../../listing/rows/folder-rows.ts'
import type { FolderView } from '../../listing/rows/folder-view.ts'
import { Grid, type GridHandle } from '../../listing/grid/grid.tsx'
import { useRowGestures } from '../../listing/grid/use-row-gestures.ts'
import { filesAddress, navigate, withBase } from '../../router/router.ts'
import { announce } from '../../state/announcements.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { openFolder } from '../../state/open-folder.ts'
import { selection } from '../../state/selection.ts'
import { useUser } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { mobileQuery, useMedia } from '../../ui/use-media.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { Breadcrumb } from './bars/breadcrumb.tsx'
import { EmptyFolder } from './empty-folder.tsx'
import { folderDesk } from './folder-desk.ts'
import { HeaderActions } from './bars/header-actions.tsx'
import { listedFolder } from './listed-folder.ts'
import { MultipleBanner } from './bars/multiple-banner.tsx'
import { gridViewOf, sortBy } from './preferences.ts'
import { sceneOf } from './scene.ts'
import { SelectionBar } from './bars/selection-bar.tsx'
import { SelectionSummary } from './bars/selection-summary.tsx'
import { StatusBar } from './bars/status-bar.tsx'
import { thumbnailOf } from './thumbnails.ts'
import { TypedChip } from './bars/typed-chip.tsx'
import { useFocusReturn } from './use-focus-return.ts'
import { useKeyboard } from './keyboard/use-keyboard.ts'
import { usePlaceMemory } from './use-place-memory.ts'
import { useReveal } from './use-reveal.ts'
import styles from './files-screen.module.css'

type OpenView = Extract<FolderView, { kind: 'folder' }>
type ListingProps = {
  readonly view: OpenView
  /** Where the user is going: the way shows it while the old rows still stand. */
  readonly path: Path
}

/** An open folder with everything around its rows. */
export function Listing({ view, path }: ListingProps) {
  const { columns } = view.folder
  const grid = useRef<GridHandle>(null)
  const user = useUser()
  const now = useStore(selection)
  useStore(columns.version)
  const isPhone = useMedia(mobileQuery)
  const gridView = gridViewOf(user?.viewMode)
  const scene = sceneOf(view, now)
  const onReveal = useReveal(columns, grid)
  const onScroll = usePlaceMemory({ folder: view.path, columns, grid, isArriving: view.isArriving })
  useOpenFolder({ view, grid, onReveal })
  useLoadedNews(view)
  useFocusReturn(columns, grid)

  const onOpen = (index: number, { isNewTab = false } = {}): void => {
    const entry = entryAt(columns, index)
    if (entry === undefined) return
    if (isNewTab) window.open(withBase(addressOf(view.path, entry)), '_blank', 'noopener')
    else navigate(addressOf(view.path, entry))
  }
  useKeyboard({ columns, grid, onOpen })
  const listeners = useRowGestures({
    rows: rowOrderOfColumns(columns),
    opensAtOnce: user?.singleClick ?? false,
    onOpen: (index) => onOpen(index),
  })

  return (
    <>
      <h1 className="visually-hidden">{labelOf(view.path)}</h1>
      {scene !== null && <HeaderActions scene={scene} view={gridView} />}
      <div className={styles.bar}>
        <Breadcrumb path={path} isFolder />
        <SelectionSummary columns={columns} now={now} />
      </div>
      {view.isStale && (
        <Banner
          kind="warning"
          icon="cloud-off"
          isAlert
          actions={<Button onClick={folderDesk.reload}>{t('buttons.retry')}</Button>}
        >
          {t('errors.connection')}
        </Banner>
      )}
      {totalOf(columns) === 0 ? (
        <EmptyFolder scene={scene} />
      ) : (
        <Grid
          label={labelOf(view.path)}
          columns={columns}
          view={gridView}
          isBusy={view.isArriving}
          hasExactDates={user?.dateFormat ?? false}
          hrefOf={(entry) => withBase(addressOf(view.path, entry))}
          thumbnailOf={(entry) => thumbnailOf(view.path, entry)}
          onSort={(by) => void sortBy(by, columns.sortedBy)}
          onScroll={onScroll}
          listeners={listeners}
          handle={grid}
        />
      )}
      <TypedChip />
      {now.isMultiple && (!isPhone || now.chosen.count === 0) && <MultipleBanner />}
      {isPhone && scene !== null && now.chosen.count > 0 && <SelectionBar scene={scene} />}
      <StatusBar columns={columns} now={now} isArriving={view.isArriving} />
    </>
  )
}

const addressOf = (folder: Path, entry: ListedEntry): string => {
  const path = childOf(folder, entry.name)
  return path === null ? '/404' : filesAddress(path, entry.isFolder)
}

const labelOf = (path: Path): string => visibleName(nameOf(path)) || t('shell.files')

type OpenFolderFacts = {
  readonly view: OpenView
  readonly grid: { readonly current: GridHandle | null }
  readonly onReveal: (name: string) => void
}

/** Tells verbs and operations about the folder on screen. */
function useOpenFolder({ view, grid, onReveal }: OpenFolderFacts): void {
  const { path, folder } = view
  const { columns } = folder
  useLayoutEffect(() => {
    const listed = listedFolder({ folder: path, columns, grid, onReveal })
    openFolder.set(listed)
    return () => openFolder.set((now) => (now === listed ? null : now))
  }, [path, columns, grid, onReveal])
}

/** Says what has been opened, once all of it is here. */
function useLoadedNews({ path, isArriving, folder }: OpenView): void {
  const spoken = useRef<Path | null>(null)
  useEffect(() => {
    if (isArriving || spoken.current === path) return
    spoken.current = path
    announce(t('listing.loaded', { name: labelOf(path), count: totalOf(folder.columns) }))
  }, [path, isArriving, folder])
}
