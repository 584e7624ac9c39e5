import { Menu } from 'lucide'
import { config, instanceName } from '../api/config.ts'
import { SearchField } from '../features/search/search-field.tsx'
import { t } from '../i18n/translate.ts'
import { Link } from '../router/link.tsx'
import { isDrawerOpen, toggleSidebar } from '../state/device/sidebar.ts'
import { useUser } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { classNames } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { keyLabel } from '../ui/keyboard/key-labels.ts'
import { Slot } from '../ui/slot.tsx'
import type { SidebarProps } from './sidebar.tsx'
import styles from './frame.module.css'

/** Renders the button of the sidebar, the instance's name, the search field, and on phones the slot for the menu of the current screen. */
export function Header({ place, hasRoom }: SidebarProps) {
  const isDrawer = place === 'drawer'
  const isRail = place === 'rail'
  const isOpen = useStore(isDrawerOpen)
  const user = useUser()
  return (
    <header className={styles.header} data-region>
      <div className={classNames(styles.start, isRail && styles.startRail)}>
        <IconButton
          icon={Menu}
          label={t('buttons.toggle-sidebar')}
          aria-expanded={hasRoom ? !isRail : isOpen}
          aria-controls="sidebar"
          hint={keyLabel('ctrl+b')}
          onClick={() => toggleSidebar(!hasRoom)}
          className={styles.toggle}
        />
        <Link to="/files/" className={styles.brand} aria-label={instanceName()}>
          <img src={`${config().StaticURL}/img/logo.svg`} alt="" width={28} height={28} />
          {(!isRail || hasRoom) && <span className={styles.name}>{instanceName()}</span>}
        </Link>
      </div>
      {user === null ? <div className={styles.search} /> : <SearchField className={styles.search} />}
      {isDrawer && <Slot name="header-actions" className={styles.actions} />}
    </header>
  )
}
