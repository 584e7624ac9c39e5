import { t } from '../../../i18n/translate.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import { Slot } from '../../../ui/slot.tsx'
import styles from './status-bar.module.css'

/**
 * Shows in one line how many entries the folder has. The count grows while the rows of the folder are still arriving.
 * The number of selected entries is beside the breadcrumb.
 */
export function StatusBar({ rows }: { readonly rows: FolderRows }) {
  const { total, folders, files, arrived, isComplete } = rows.summary
  return (
    <footer className={styles.bar} data-part="status">
      <span>{t('listing.items', { count: isComplete ? total : arrived })}</span>
      {isComplete && folders > 0 && files > 0 && (
        <span>{t('listing.foldersAndFiles', { folders, files })}</span>
      )}
      <Slot name="status" className={styles.end} />
    </footer>
  )
}
