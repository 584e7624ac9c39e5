import { Search } from 'lucide'
import { keyHintOf } from '../../actions/action-keys.ts'
import { actions } from '../../actions/actions.ts'
import { t } from '../../i18n/translate.ts'
import { isDrawerOpen } from '../../state/device/sidebar.ts'
import { prompt } from '../../state/prompt.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './sidebar-parts.module.css'

/** The action is found in the list, because an import from its own module would make the first page larger. */
const action = actions.find(({ id }) => id === 'go-to-file')

const open = (): void => {
  isDrawerOpen.set(false)
  prompt.set({ kind: 'palette', text: '' })
}

/** Renders the button that finds a file in all folders by its name. Phones have no key for it. */
export function GoToFileButton() {
  const hint = action === undefined ? '' : keyHintOf(action)
  return (
    <div className={styles.apart}>
      <button type="button" className={classNames(styles.row, styles.action)} onClick={open}>
        <Icon icon={Search} className={styles.picture} />
        <span className={styles.name}>{t('action.go-to-file')}</span>
        <kbd className={styles.key}>{hint}</kbd>
      </button>
    </div>
  )
}
