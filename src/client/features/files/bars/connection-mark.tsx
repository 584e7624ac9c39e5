import { t } from '../../../i18n/translate.ts'
import { connection } from '../../../listing/rows/connection.ts'
import { useStore } from '../../../state/store.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Fill } from '../../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../../ui/use-media.ts'
import { folderLoader } from '../open-folder/folder-loader.ts'
import styles from './connection-mark.module.css'

/**
 * Shows whether changes of the folder appear by themselves: a live connection in the status bar, which phones do not have,
 * and a lost connection in a line below the header. A live connection is shown after the rows. Servers without live updates
 * have no mark.
 */
export function ConnectionMark() {
  const state = useStore(connection)
  const isPhone = useMedia(mobileQuery)
  const view = useStore(folderLoader.view)
  const isLoading = view.kind === 'loading' || (view.kind === 'folder' && view.isArriving)
  if (state === 'none' || (state === 'live' && (isLoading || isPhone))) return null
  const isLost = state !== 'live'
  return (
    <Fill slot={isLost ? 'below-header' : 'status'}>
      <span className={classNames(styles.mark, isLost && styles.line)} data-state={state}>
        {t(`status.${state}`)}
      </span>
    </Fill>
  )
}
