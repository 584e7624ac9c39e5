import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { type Columns, folderTotalOf, totalOf } from '../../../listing/rows/columns.ts'
import { bytesIn } from '../../../listing/rows/folder-rows.ts'
import type { Selection } from '../../../state/selection.ts'
import { useStore } from '../../../state/store.ts'
import styles from './status-bar.module.css'

type StatusBarProps = { readonly columns: Columns; readonly now: Selection; readonly isArriving: boolean }

/** What is in the folder and what is chosen of it, in one quiet line. */
export function StatusBar({ columns, now, isArriving }: StatusBarProps) {
  useStore(columns.version)
  const total = isArriving ? columns.count : totalOf(columns)
  const folders = folderTotalOf(columns)
  const bytes = bytesIn(columns, now.chosen)
  return (
    <footer className={styles.bar} data-part="status">
      <span>{t('listing.items', { count: total })}</span>
      {!isArriving && folders > 0 && total > folders && (
        <span>{t('listing.foldersAndFiles', { folders, files: total - folders })}</span>
      )}
      {now.chosen.count > 0 && <span>{t('listing.selected', { count: now.chosen.count })}</span>}
      {bytes > 0 && <span>{formatSize(bytes)}</span>}
    </footer>
  )
}
