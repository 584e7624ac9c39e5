import { resultContext } from '../../../actions/page-context.ts'
import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { deselectAll, folderListing } from '../../../listing/grid/shown-listings.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { hasRow, type RowSet } from '../../../state/row-set.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Fill } from '../../../ui/slot.tsx'
import styles from './selection-summary.module.css'

/**
 * Shows the number and the size of the selected entries, with the results of a search. The summary is placed beside the breadcrumb, so that it takes
 * no space from the list.
 */
export function SelectionSummary({ rows }: { readonly rows: FolderRows }) {
  const { chosen } = useStore(folderListing.selection)
  const matches = useStore(resultContext)
  const count = matches?.count ?? chosen.count
  if (count === 0) return null
  const bytes = matches === null ? rows.bytesOf(chosen) : bytesOf(matches.selected)
  const hasFolders =
    matches === null ? isFolderIn(rows, chosen) : matches.selected.some(({ isFolder }) => isFolder)
  const inner = matches === null ? 0 : count - matches.selected.length
  return (
    <Fill slot="folder-bar">
      <div className={styles.summary} data-part="selection">
        <span className="numbers">{t('listing.selected', { count })}</span>
        {inner > 0 && <span className={styles.size}>{t('search.inSelectedFolders', { count: inner })}</span>}
        {bytes > 0 && (
          <span className={styles.size}>
            {hasFolders ? t('prompt.info.withoutFolders', { size: formatSize(bytes) }) : formatSize(bytes)}
          </span>
        )}
        <Button kind="quiet" onClick={deselectAll}>
          {t('action.clear-selection')}
        </Button>
      </div>
    </Fill>
  )
}

const bytesOf = (entries: readonly ListedEntry[]): number =>
  entries.reduce((sum, { isFolder, sizeBytes }) => sum + (isFolder ? 0 : sizeBytes), 0)

/** Returns true when the chosen rows include a folder. Folders are the first rows in each order. */
function isFolderIn({ summary, idAt }: FolderRows, chosen: RowSet): boolean {
  for (let index = 0; index < summary.folders; index += 1) if (hasRow(chosen, idAt(index))) return true
  return false
}
