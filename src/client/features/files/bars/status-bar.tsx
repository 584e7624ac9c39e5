import { lazy, type RefObject, Suspense } from 'react'
import { t } from '../../../i18n/translate.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import type { GridHandle } from '../../../listing/grid/grid-handle.ts'
import type { GridView } from '../../../listing/grid/grid-view.ts'
import { Slot } from '../../../ui/slot.tsx'
import styles from './status-bar.module.css'

const TileSizeSlider = lazy(() =>
  import('./tile-size-slider.tsx').then((module) => ({ default: module.TileSizeSlider })),
)

type StatusBarProps = {
  readonly rows: FolderRows
  readonly view: GridView
  readonly grid: RefObject<GridHandle | null>
}

/**
 * Shows in one line how many entries the folder has. The count grows while the rows of the folder are still arriving.
 * The number of selected entries is beside the breadcrumb. The gallery adds the size of its tiles.
 */
export function StatusBar({ rows, view, grid }: StatusBarProps) {
  const { total, folders, files, arrived, isComplete } = rows.summary
  return (
    <footer className={styles.bar} data-part="status">
      <span>{t('listing.items', { count: isComplete ? total : arrived })}</span>
      {isComplete && folders > 0 && files > 0 && (
        <span>{t('listing.foldersAndFiles', { folders, files })}</span>
      )}
      <Slot name="status" className={styles.end} />
      {view === 'gallery' && total > 0 && (
        <Suspense>
          <TileSizeSlider grid={grid} />
        </Suspense>
      )}
    </footer>
  )
}
