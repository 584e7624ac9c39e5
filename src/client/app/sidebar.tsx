import { useEffect, useRef, type ReactNode } from 'react'
import { config } from '../api/config.ts'
import { logout } from '../api/session.ts'
import { t } from '../i18n/translate.ts'
import { Link } from '../router/link.tsx'
import { useLocation } from '../router/use-location.ts'
import { unfinishedFiles } from '../state/personal.ts'
import { prompt } from '../state/prompt.ts'
import { useUser } from '../state/session.ts'
import { isDrawerOpen } from '../state/sidebar.ts'
import { useStore } from '../state/store.ts'
import { classNames } from '../ui/class-names.ts'
import { Credits } from '../ui/credits.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { Icon } from '../ui/icon.tsx'
import { SidebarActions } from './sidebar-actions.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import styles from './sidebar.module.css'

/**
 * How the sidebar is displayed. `drawer`: on narrow screens, it covers the page while it is open. `rail`: it shows only
 * icons. `full`: it shows icons and labels.
 */
export type SidebarMode = 'drawer' | 'rail' | 'full'

/**
 * Renders the main navigation. Users see links and buttons for their files, new entries, logout and help. Guests see
 * login and help.
 */
export function Sidebar({ mode }: { readonly mode: SidebarMode }) {
  const isDrawer = mode === 'drawer'
  const isOpen = useStore(isDrawerOpen)
  const isHidden = isDrawer && !isOpen
  const nav = useDrawerFocus(isDrawer && isOpen)
  const user = useUser()
  return (
    <>
      {isDrawer && isOpen && <div className={styles.scrim} onPointerDown={() => isDrawerOpen.set(false)} />}
      <nav
        ref={nav}
        id="sidebar"
        aria-label={t('sidebar.main')}
        className={classNames(
          styles.sidebar,
          isDrawer && styles.drawer,
          isHidden && styles.away,
          mode === 'rail' && styles.rail,
        )}
        inert={isHidden}
        data-region
      >
        {user === null ? <GuestItems /> : <UserItems />}
        <div className={styles.foot}>
          {user !== null && (
            <p className={styles.user} title={user.username}>
              <Icon name="user" size={16} />
              <bdi className={styles.word}>{user.username}</bdi>
            </p>
          )}
          <div className={styles.credits}>
            <Credits name="Stowage" version={config().Version} isLinkHidden={config().DisableExternal} />
          </div>
          <ThemeMenu />
        </div>
      </nav>
    </>
  )
}

/** Logs out. Asks for confirmation first while files are still being uploaded. */
const leave = (): void => {
  if (unfinishedFiles() > 0) prompt.set({ kind: 'logout' })
  else void logout()
}

function UserItems() {
  const { screen } = useLocation()
  return (
    <>
      <ul className={styles.items}>
        <li>
          <Link
            to="/files/"
            className={styles.item}
            aria-current={screen === 'files' ? 'page' : undefined}
            title={t('sidebar.myFiles')}
          >
            <Icon name="folder" />
            <span className={styles.word}>{t('sidebar.myFiles')}</span>
          </Link>
        </li>
        <SidebarActions renderItem={(item) => <SidebarButton key={item.label} {...item} />} />
      </ul>
      <ul className={classNames(styles.items, styles.apart)}>
        {config().AuthMethod === 'json' && !config().NoAuth && (
          <SidebarButton icon="log-out" label={t('sidebar.logout')} onClick={leave} />
        )}
        <HelpItem />
      </ul>
    </>
  )
}

const GuestItems = () => (
  <ul className={styles.items}>
    <li>
      <Link to="/login" className={styles.item} title={t('sidebar.login')}>
        <Icon name="log-in" />
        <span className={styles.word}>{t('sidebar.login')}</span>
      </Link>
    </li>
    <HelpItem />
  </ul>
)

const HelpItem = () => (
  <SidebarButton icon="help" label={t('sidebar.help')} onClick={() => prompt.set({ kind: 'help' })} />
)

type SidebarButtonProps = { readonly icon: IconName; readonly label: string; readonly onClick: () => void }

function SidebarButton({ icon, label, onClick }: SidebarButtonProps): ReactNode {
  const press = (): void => {
    isDrawerOpen.set(false)
    onClick()
  }
  return (
    <li>
      <button type="button" className={styles.item} onClick={press} title={label}>
        <Icon name={icon} />
        <span className={styles.word}>{label}</span>
      </button>
    </li>
  )
}

/**
 * Moves the focus into the drawer when it opens, closes the drawer on Escape, and returns the focus to its previous
 * element when the drawer closes.
 */
function useDrawerFocus(isOpen: boolean) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return undefined
    const before = document.activeElement as HTMLElement | null
    const drawer = nav.current
    drawer?.querySelector<HTMLElement>('a, button')?.focus()
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') isDrawerOpen.set(false)
    }
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('keydown', onKey)
      if (drawer?.contains(document.activeElement)) before?.focus()
    }
  }, [isOpen])
  return nav
}
