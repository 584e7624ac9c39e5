import { FolderUp } from 'lucide'
import { childOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { PathText } from '../../ui/direction/path-text.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { placeNames } from './place-label.ts'
import styles from './search-results.module.css'

/** Shows the folder of a result, below the searched folder, and the button that opens that folder and focuses the entry. */
export function PlaceCell({ entry, searched }: { readonly entry: ListedEntry; readonly searched: Path }) {
  const { name, folder } = entry
  const path = folder === undefined ? null : childOf(folder, name)
  if (path === null) return null
  return (
    <>
      <PathText names={placeNames(entry, searched)} className={styles.place} />
      <IconButton
        icon={FolderUp}
        label={t('search.showName', { name: visibleName(name) })}
        tabIndex={-1}
        className={styles.show}
        onClick={(event) => {
          event.stopPropagation()
          showInFolder(path)
        }}
      />
    </>
  )
}
