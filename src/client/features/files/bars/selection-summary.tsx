import type { ResultContext } from '../../../actions/page-context.ts'
import { formatCount } from '../../../i18n/locale.ts'
import { t } from '../../../i18n/translate.ts'
import { isFolderIn, selectedSizeText } from '../../../listing/grid/selected-size.tsx'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import type { RowSet } from '../../../state/row-set.ts'
import { classNames } from '../../../ui/class-names.ts'
import styles from './selection-bar.module.css'

type SelectionSummaryProps = {
  /** The number of selected entries, which is 0 while the multiple-selection mode waits for the first one. */
  readonly count: number
  /** The selected rows of the open folder. */
  readonly chosen: RowSet
  readonly rows: FolderRows
  /** The context with the selected results of a search, or null. */
  readonly results: ResultContext | null
}

/**
 * Shows the number and the size of the selected entries. Where the sentence has no room, it shows the number alone.
 */
export function SelectionSummary({ count, chosen, rows, results }: SelectionSummaryProps) {
  const bytes = results === null ? rows.bytesOf(chosen) : bytesOf(results.selected)
  const hasFolders =
    results === null ? isFolderIn(rows, chosen) : results.selected.some(({ isFolder }) => isFolder)
  const size = selectedSizeText(bytes, hasFolders)
  const inner = results === null ? 0 : count - results.selected.length
  return (
    <div className={classNames(styles.summary, 'numbers')} data-part="selection">
      <span aria-hidden className={styles.number}>
        {count > 0 && formatCount(count)}
      </span>
      <div className={styles.cover}>
        <span className={styles.sentence}>{summaryText(count)}</span>
        {inner > 0 && <span className={styles.size}>{t('search.inSelectedFolders', { count: inner })}</span>}
        {size !== null && <span className={styles.size}>{size}</span>}
      </div>
    </div>
  )
}

/** Returns what the bar says about the number of selected entries. */
export const summaryText = (count: number): string =>
  count === 0 ? t('listing.multiple') : t('listing.selected', { count })

const bytesOf = (entries: readonly ListedEntry[]): number =>
  entries.reduce((sum, { isFolder, sizeBytes }) => sum + (isFolder ? 0 : sizeBytes), 0)
