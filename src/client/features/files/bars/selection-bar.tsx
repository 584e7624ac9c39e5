import { isAvailable, type ActionContext } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { t } from '../../../i18n/translate.ts'
import { clearSelection, selection, setMultiple } from '../../../state/selection.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './selection-bar.module.css'

/**
 * Renders the number of selected entries and the actions for them. On phones the bar is at the bottom, within reach of
 * the thumb.
 */
export function SelectionBar({ context }: { readonly context: ActionContext }) {
  const shown = actions.filter(
    (action) => action.places.includes('selection-bar') && isAvailable(action, context),
  )
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('listing.selection')} data-part="selection-bar">
      <IconButton
        icon="close"
        label={t('buttons.clear')}
        onClick={() => selection.set((now) => setMultiple(clearSelection(now), false))}
      />
      <span className={styles.count}>{t('listing.selected', { count: context.selected.length })}</span>
      {shown.map((action) => (
        <IconButton
          key={action.id}
          icon={action.icon}
          label={t(`action.${action.id}`)}
          onClick={() => void action.run(context)}
        />
      ))}
    </div>
  )
}
