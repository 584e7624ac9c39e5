import { t } from '../../../i18n/translate.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import type { GridView } from '../../../listing/grid/grid-view.ts'
import { Slot } from '../../../ui/slot.tsx'
import styles from './status-bar.module.css'
import { filesAfterRows } from '../parts/load-after-rows.ts'

const StatusDetails = filesAfterRows.part((module) => module.StatusDetails)

type StatusBarProps = {
  readonly rows: FolderRows
  /** True while the rows are those that match a search. */
  readonly isFiltered: boolean
  readonly view: GridView
}

/**
 * Shows in one line how many entries the folder has. While the rows of the folder are still arriving, the count
 * grows, and the text says that it is not the sum yet.
 * The bar of the selection has the number of selected entries. The end of the status bar shows the exact size and date of the
 * focused row, and what is wrong with the connection.
 */
export function StatusBar({ rows, isFiltered, view }: StatusBarProps) {
  const { total, folders, files, arrived, isComplete } = rows.summary
  return (
    <footer className={styles.bar} data-part="status">
      <span>{t(textOf({ isFiltered, isComplete }), { count: isComplete ? total : arrived })}</span>
      {isComplete && !isFiltered && folders > 0 && files > 0 && (
        <span>{t('listing.foldersAndFiles', { folders, files })}</span>
      )}
      <Slot name="status" className={styles.end} />
      <StatusDetails rows={rows} view={view} />
    </footer>
  )
}

/** Returns the id of the text with the number of entries, which says so while that number is not the final one. */
function textOf({
  isFiltered,
  isComplete,
}: {
  readonly isFiltered: boolean
  readonly isComplete: boolean
}): 'search.matches' | 'listing.items' | 'listing.itemsSoFar' {
  if (isFiltered) return 'search.matches'
  return isComplete ? 'listing.items' : 'listing.itemsSoFar'
}
