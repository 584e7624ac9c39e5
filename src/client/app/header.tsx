import { config, instanceName } from '../api/config.ts'
import { t } from '../i18n/translate.ts'
import { Link } from '../router/link.tsx'
import { isDrawerOpen, sidebarSize } from '../state/sidebar.ts'
import { useStore } from '../state/store.ts'
import { classNames } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Slot } from '../ui/slot.tsx'
import styles from './frame.module.css'

type HeaderProps = {
  readonly isMobile: boolean
  /** True while the sidebar shows only icons. */
  readonly isRail: boolean
  /** True when the window is wide enough for both sizes of the sidebar. */
  readonly canResize: boolean
}

const toggleSidebarSize = (): void => sidebarSize.set((size) => (size === 'full' ? 'rail' : 'full'))

/** Renders the button of the sidebar, the instance's name, and the slots for the search field and the actions of the current screen. */
export function Header({ isMobile, isRail, canResize }: HeaderProps) {
  const isOpen = useStore(isDrawerOpen)
  return (
    <header className={styles.header} data-region>
      <div className={classNames(styles.start, isRail && styles.startRail)}>
        {(isMobile || canResize) && (
          <IconButton
            icon="menu"
            label={t('buttons.toggle-sidebar')}
            aria-expanded={isMobile ? isOpen : !isRail}
            aria-controls="sidebar"
            onClick={isMobile ? () => isDrawerOpen.set(!isOpen) : toggleSidebarSize}
            className={styles.toggle}
          />
        )}
        <Link to="/files/" className={styles.brand} aria-label={instanceName()}>
          <img src={`${config().StaticURL}/img/logo.svg`} alt="" width={28} height={28} />
          {(!isRail || canResize) && <span className={styles.name}>{instanceName()}</span>}
        </Link>
      </div>
      <Slot name="header-search" className={styles.search} />
      <Slot name="header-actions" className={styles.actions} />
    </header>
  )
}
