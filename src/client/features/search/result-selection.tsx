import { useEffect } from 'react'
import { resultContext } from '../../actions/page-context.ts'
import { formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { clearFound, contextOfFound, foundSelection, selectedAmong } from './found-selection.ts'
import { actionsFor } from './result-actions.ts'
import type { FolderSearch } from './searcher.ts'
import styles from './search-results.module.css'

/** Shows how many results are selected, with the actions for them. Shows nothing while no result is selected. */
export function ResultSelection({ search }: { readonly search: FolderSearch }) {
  const selected = selectedAmong(search.entries, useStore(foundSelection))
  const context = contextOfFound(selected, search.folder)
  useEffect(() => {
    resultContext.set(selected.length === 0 ? null : context)
  })
  useEffect(() => () => resultContext.set(null), [])
  if (selected.length === 0) return null
  const bytes = selected.reduce(
    (sum, { isFolder, facts }) => sum + (isFolder ? 0 : (facts?.sizeBytes ?? 0)),
    0,
  )
  return (
    <div role="toolbar" aria-label={t('search.selection')} className={styles.selection}>
      <output>{t('listing.selected', { count: selected.length })}</output>
      {bytes > 0 && <span className={styles.bytes}>{formatSize(bytes)}</span>}
      <Button kind="quiet" onClick={clearFound}>
        {t('buttons.clear')}
      </Button>
      <span className={styles.actions}>
        {actionsFor(context).map((action) => (
          <IconButton
            key={action.id}
            icon={action.icon}
            label={t(`action.${action.id}`)}
            onClick={() => void action.run(context)}
          />
        ))}
      </span>
    </div>
  )
}
