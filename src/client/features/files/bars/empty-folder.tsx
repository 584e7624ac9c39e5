import { Folder } from 'lucide'
import { type ActionContext, isAvailable } from '../../../actions/action.ts'
import { actions } from '../../../actions/actions.ts'
import { t } from '../../../i18n/translate.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { openContextMenu } from '../../../listing/grid/use-row-gestures.ts'
import type { RowOrder } from '../../../state/selection.ts'
import { incomingUploads } from '../../../state/screens/incoming-uploads.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import styles from './message.module.css'

/** The ids of the actions that the screen offers when the open folder is empty. */
const fillingActionIds: readonly string[] = ['upload', 'new-folder']

/**
 * Renders the message that the open folder is empty or that uploads are on their way into it, and the actions that add
 * entries to it.
 */
export function EmptyFolder({ context, rows }: { readonly context: ActionContext; readonly rows: RowOrder }) {
  const available = actions.filter(
    (action) => fillingActionIds.includes(action.id) && isAvailable(action, context),
  )
  return (
    <div
      className={styles.message}
      data-part="listing"
      id="listing"
      onContextMenu={(event) => openContextMenu(event, { listing: folderListing, rows })}
    >
      <EmptyState
        icon={Folder}
        text={t(`listing.${useStore(incomingUploads) ?? 'lonely'}`)}
        note={available.length > 0 ? t('listing.dropHint') : undefined}
      >
        {available.map((action) => (
          <Button
            key={action.id}
            kind={action.id === 'upload' ? 'primary' : 'secondary'}
            icon={action.icon}
            onClick={() => void action.run(context)}
          >
            {t(action.label)}
          </Button>
        ))}
      </EmptyState>
    </div>
  )
}
