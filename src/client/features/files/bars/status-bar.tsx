import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import type { Selection } from '../../../state/selection.ts'
import { Slot } from '../../../ui/slot.tsx'
import styles from './status-bar.module.css'

type StatusBarProps = { readonly rows: FolderRows; readonly current: Selection }

/**
 * Shows in one line how many entries the folder has and how many of them are selected. The count grows while the rows
 * of the folder are still arriving.
 */
export function StatusBar({ rows, current }: StatusBarProps) {
  const { total, folders, files, arrived, isComplete } = rows.summary
  const bytes = rows.bytesOf(current.chosen)
  return (
    <footer className={styles.bar} data-part="status">
      <span>{t('listing.items', { count: isComplete ? total : arrived })}</span>
      {isComplete && folders > 0 && files > 0 && (
        <span>{t('listing.foldersAndFiles', { folders, files })}</span>
      )}
      {current.chosen.count > 0 && <span>{t('listing.selected', { count: current.chosen.count })}</span>}
      {bytes > 0 && <span>{formatSize(bytes)}</span>}
      <Slot name="status" className={styles.end} />
    </footer>
  )
}
