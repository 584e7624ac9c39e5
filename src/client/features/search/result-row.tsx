import { nameOf } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl } from '../../router/router.ts'
import { Link } from '../../router/link.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { MarkedName } from '../../ui/marked-name.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { menuOf, showInFolder } from './result-actions.ts'
import { type FoundEntry, listedEntryOf } from './search-hit.ts'
import styles from './search-results.module.css'

type ResultRowProps = {
  readonly entry: FoundEntry
  readonly index: number
  /** True for the only result that the Tab key reaches. */
  readonly isTabStop: boolean
  readonly rangesOf: (text: string) => readonly { readonly start: number; readonly end: number }[]
}

/** Renders a result: its name, a button that shows it in its folder, and a menu of actions. */
export function ResultRow({ entry, index, isTabStop, rangesOf }: ResultRowProps) {
  const name = nameOf(entry.path)
  const tabIndex = isTabStop ? 0 : -1
  return (
    <li className={styles.row} data-found={index} data-path={entry.path}>
      <Link
        to={filesUrl(entry.path, entry.isFolder)}
        tabIndex={tabIndex}
        className={styles.link}
        aria-label={visibleName(name)}
      >
        <FilePicture {...listedEntryOf(entry)} size={22} />
        <MarkedName name={name} rangesOf={rangesOf} />
      </Link>
      <IconButton
        icon="folder-up"
        label={t('search.showName', { name: visibleName(name) })}
        tabIndex={tabIndex}
        className={styles.button}
        onClick={() => showInFolder(entry)}
      />
      <MenuButton
        icon="more"
        label={t('search.actionsOf', { name: visibleName(name) })}
        entries={menuOf(entry)}
        tabIndex={tabIndex}
        className={styles.button ?? ''}
      />
    </li>
  )
}
