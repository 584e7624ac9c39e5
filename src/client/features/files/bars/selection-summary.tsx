import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import type { Columns } from '../../../listing/rows/columns.ts'
import { bytesIn } from '../../../listing/rows/folder-rows.ts'
import { clearSelection, type Selection, selection } from '../../../state/selection.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './selection-summary.module.css'

type SelectionSummaryProps = { readonly columns: Columns; readonly now: Selection }

/** How much is chosen, beside the way: it takes no room of the list. */
export function SelectionSummary({ columns, now }: SelectionSummaryProps) {
  if (now.chosen.count === 0) return null
  const bytes = bytesIn(columns, now.chosen)
  return (
    <div className={styles.summary} data-part="selection">
      <span className="numbers">{t('listing.selected', { count: now.chosen.count })}</span>
      {bytes > 0 && <span className={styles.size}>{formatSize(bytes)}</span>}
      <Button kind="quiet" onClick={() => selection.set(clearSelection)}>
        {t('buttons.clear')}
      </Button>
    </div>
  )
}
