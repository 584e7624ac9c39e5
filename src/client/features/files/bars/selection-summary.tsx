import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import { clearSelection, selection } from '../../../state/selection.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Fill } from '../../../ui/slot.tsx'
import styles from './selection-summary.module.css'

/**
 * Shows the number and the size of the selected entries. The summary is placed beside the breadcrumb, so that it takes
 * no space from the list.
 */
export function SelectionSummary({ rows }: { readonly rows: FolderRows }) {
  const current = useStore(selection)
  if (current.chosen.count === 0) return null
  const bytes = rows.bytesOf(current.chosen)
  return (
    <Fill slot="folder-bar">
      <div className={styles.summary} data-part="selection">
        <span className="numbers">{t('listing.selected', { count: current.chosen.count })}</span>
        {bytes > 0 && <span className={styles.size}>{formatSize(bytes)}</span>}
        <Button kind="quiet" onClick={() => selection.set(clearSelection)}>
          {t('buttons.clear')}
        </Button>
      </div>
    </Fill>
  )
}
