import { isAvailable, type Scene } from '../../actions/action.ts'
import { actions } from '../../actions/actions.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from './empty-folder.module.css'

/** Verbs that fill a folder. */
const fillers: readonly string[] = ['upload', 'new-folder']

/** A folder with nothing in it, and what can be done about that. */
export function EmptyFolder({ scene }: { readonly scene: Scene | null }) {
  const shown = scene === null ? [] : actions.filter(({ id }) => fillers.includes(id))
  const possible = shown.filter((action) => scene !== null && isAvailable(action, scene))
  return (
    <div className={styles.place} data-part="listing" id="listing">
      <EmptyState
        icon="folder"
        text={t('listing.lonely')}
        note={possible.length > 0 ? t('listing.dropHint') : undefined}
      >
        {possible.map((action) => (
          <Button
            key={action.id}
            kind={action.id === 'upload' ? 'primary' : 'secondary'}
            icon={action.icon}
            onClick={() => scene !== null && void action.run(scene)}
          >
            {t(`action.${action.id}`)}
          </Button>
        ))}
      </EmptyState>
    </div>
  )
}
