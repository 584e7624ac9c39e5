import { useEffect, useRef, type ReactNode } from 'react'
import { CircleHelp, Folder, LogIn, Link2, LogOut, Search, Settings, User, X } from 'lucide'
import { root } from '../../shared/domain/path.ts'
import { config, instanceName, mayGuestsSignUp } from '../api/config.ts'
import { t } from '../i18n/translate.ts'
import { canLogOut, leave } from '../operations/session/leave.ts'
import { Link } from '../router/link.tsx'
import { useLocation } from '../router/use-location.ts'
import { prompt } from '../state/prompt.ts'
import { useMay, useUser } from '../state/session.ts'
import { isDrawerOpen } from '../state/device/sidebar.ts'
import { useStore } from '../state/store.ts'
import { classNames } from '../ui/class-names.ts'
import { Credits } from '../ui/credits.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon, type IconDrawing, directed } from '../ui/icon.tsx'
import { openKeyScope } from '../ui/keyboard/key-scopes.ts'
import { Slot } from '../ui/slot.tsx'
import { SidebarActions, type SidebarItem } from './sidebar-actions.tsx'
import styles from './sidebar.module.css'

/**
 * The form of the sidebar. `drawer`: on phones, it covers the page while it is open. `rail`: it shows only icons, and
 * opens as a drawer where the window has no room for the full sidebar. `full`: it shows icons and labels.
 */
export type SidebarMode = 'drawer' | 'rail' | 'full'

export type SidebarProps = {
  readonly place: SidebarMode
  /** True when the window is wide enough for the full sidebar. Otherwise the sidebar opens as a drawer. */
  readonly hasRoom: boolean
}

/**
 * Renders the main navigation. Users see links and buttons for their files, new entries, their folders, logout and
 * help. Guests see login, signup, the credits and help.
 */
export function Sidebar({ place, hasRoom }: SidebarProps) {
  const isOpen = useStore(isDrawerOpen)
  const mode = isOpen && !hasRoom ? 'drawer' : place
  const isDrawer = mode === 'drawer'
  const isHidden = isDrawer && !isOpen
  const nav = useDrawerFocus(isDrawer && isOpen)
  const user = useUser()
  return (
    <>
      {isDrawer && isOpen && (
        <div aria-hidden className={styles.scrim} onClick={() => isDrawerOpen.set(false)} />
      )}
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
        {isDrawer && <DrawerHead />}
        {user === null ? <GuestItems /> : <UserItems mode={mode} />}
        <div className={styles.foot}>
          {user !== null && mode !== 'rail' && !config().DisableUsedPercentage && (
            <Slot name="sidebar-usage" className={styles.usage} />
          )}
          {user === null && (
            <div className={styles.credits}>
              <Credits
                version={config().Version}
                link={config().ReportIssueURL}
                isLinkHidden={config().DisableExternal}
              />
            </div>
          )}
          <div className={styles.last}>
            <ul className={styles.items}>
              <SidebarButton
                icon={CircleHelp}
                label={t('sidebar.help')}
                onClick={() => prompt.set({ kind: 'help' })}
              />
            </ul>
            <Slot name="sidebar-theme" className={styles.plain} />
          </div>
        </div>
      </nav>
      {user !== null && mode === 'full' && <Slot name="sidebar-resizer" className={styles.plain} />}
    </>
  )
}

const DrawerHead = () => (
  <div className={styles.head}>
    <span className={styles.title}>{instanceName()}</span>
    <IconButton icon={X} label={t('sidebar.close')} onClick={() => isDrawerOpen.set(false)} />
  </div>
)

function UserItems({ mode }: { readonly mode: SidebarMode }) {
  const user = useUser()
  const may = useMay()
  return (
    <>
      <ul className={styles.items}>
        <li>
          <MyFilesLink />
        </li>
        <SidebarActions renderItem={(item) => <SidebarButton key={item.label} {...item} />} />
      </ul>
      {mode === 'rail' ? (
        <ul className={classNames(styles.items, styles.folders)}>
          <SidebarButton
            icon={Search}
            label={t('action.go-to-file')}
            onClick={() => prompt.set({ kind: 'palette', text: '' })}
          />
        </ul>
      ) : (
        <Slot name="sidebar-folders" className={styles.folders} />
      )}
      <ul className={classNames(styles.items, styles.apart)}>
        {may('share') && may('download') && (
          <SettingsLink to={linksPath} icon={Link2} label={t('sidebar.links')}>
            <Slot name="sidebar-new-files" className={styles.count} />
          </SettingsLink>
        )}
        <SettingsLink to="/settings/profile" icon={Settings} label={t('title.settings')} />
        <li className={styles.user} title={user?.username}>
          <Icon icon={User} />
          <bdi className={styles.word}>{user?.username}</bdi>
        </li>
        {canLogOut() && (
          <SidebarButton icon={directed(LogOut)} label={t('sidebar.logout')} onClick={() => void leave()} />
        )}
      </ul>
    </>
  )
}

/** Renders the link to the root folder. Below the root, the folder tree marks the open folder instead. */
function MyFilesLink() {
  const { screen, path } = useLocation()
  const current = screen !== 'files' ? undefined : path === root ? 'page' : true
  return (
    <Link to="/files/" className={styles.item} aria-current={current} data-drop-folder={root}>
      <Icon icon={Folder} />
      <span className={styles.word}>{t('sidebar.myFiles')}</span>
    </Link>
  )
}

/** The address of the list of links, which is a page of the settings. */
const linksPath = '/settings/shares'

type SettingsLinkProps = {
  readonly to: string
  readonly icon: IconDrawing
  readonly label: string
  readonly children?: ReactNode
}

/** Renders the link to the settings, or to the page of them that has a link of its own. */
function SettingsLink({ to, icon, label, children }: SettingsLinkProps) {
  const { screen, rawPath } = useLocation()
  const isOpen = screen === 'settings' && (rawPath === linksPath) === (to === linksPath)
  return (
    <li>
      <Link to={to} className={styles.item} aria-current={isOpen ? 'page' : undefined}>
        <Icon icon={icon} />
        <span className={styles.word}>{label}</span>
        {children}
      </Link>
    </li>
  )
}

/** Renders the links for guests: the login, unless the administrator hides it, and the signup where it is allowed. */
function GuestItems() {
  return (
    <ul className={styles.items}>
      {!config().HideLoginButton && (
        <GuestLink to="/login" icon={directed(LogIn)} label={t('sidebar.login')} />
      )}
      {mayGuestsSignUp() && <GuestLink to="/login?signup" icon={User} label={t('login.signup')} />}
    </ul>
  )
}

type GuestLinkProps = { readonly to: string; readonly icon: IconDrawing; readonly label: string }

const GuestLink = ({ to, icon, label }: GuestLinkProps) => (
  <li>
    <Link to={to} className={styles.item}>
      <Icon icon={icon} />
      <span className={styles.word}>{label}</span>
    </Link>
  </li>
)

type SidebarButtonProps = Omit<SidebarItem, 'disabled'> & Partial<Pick<SidebarItem, 'disabled'>>

function SidebarButton({ icon, label, disabled, onClick }: SidebarButtonProps): ReactNode {
  const press = (): void => {
    isDrawerOpen.set(false)
    onClick()
  }
  return (
    <li>
      <button type="button" className={styles.item} disabled={disabled} onClick={press}>
        <Icon icon={icon} />
        <span className={styles.word}>{label}</span>
      </button>
    </li>
  )
}

/**
 * Moves the focus into the drawer when it opens, and returns it when the drawer closes. While the drawer is open, the
 * page behind it cannot be reached, and Escape closes the drawer.
 */
function useDrawerFocus(isOpen: boolean) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return undefined
    const before = document.activeElement as HTMLElement | null
    const drawer = nav.current
    const behind = document.querySelectorAll<HTMLElement>('header[data-region], main')
    for (const part of behind) part.inert = true
    drawer?.querySelector<HTMLElement>('a, button')?.focus()
    const closeKeys = openKeyScope({ kind: 'panel', onKey: closeOnEscape })
    return () => {
      closeKeys()
      for (const part of behind) part.inert = false
      const { activeElement } = document
      if (activeElement === document.body || drawer?.contains(activeElement)) before?.focus()
    }
  }, [isOpen])
  return nav
}

/** Closes the drawer before the page behind it handles the key. */
function closeOnEscape({ key }: KeyboardEvent): boolean {
  if (key !== 'Escape') return false
  isDrawerOpen.set(false)
  return true
}
