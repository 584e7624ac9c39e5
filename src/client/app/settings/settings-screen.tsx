import '../../i18n/later-texts.ts'
import '../../i18n/settings-texts.ts'
import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { useEffect, useRef, type FunctionComponent } from 'react'
import { useQuery } from '../../api/use-query.ts'
import { CallError, statusOf } from '../../api/call.ts'
import { takeoverQuery } from '../../api/takeover-query.ts'
import { useWhenReachable } from '../../api/use-when-reachable.ts'
import { AuditPage } from '../../features/settings/audit/audit-page.tsx'
import { GlobalPage } from '../../features/settings/global/global-page.tsx'
import { OverviewPage } from '../../features/settings/overview/overview-page.tsx'
import { ProfilePage } from '../../features/settings/profile/profile-page.tsx'
import { TakeoverPage } from '../../features/settings/takeover/takeover-page.tsx'
import { UsersPage } from '../../features/settings/users/users-page.tsx'
import { SharesPage } from '../../features/sharing/shares-page.tsx'
import { t } from '../../i18n/translate.ts'
import { Link } from '../../router/link.tsx'
import { location } from '../../router/router.ts'
import { useLocation } from '../../router/use-location.ts'
import { lazyPart } from '../../state/parts/lazy-part.ts'
import { setTitle } from '../../state/page-title.ts'
import { isOfferedTo, settingsPages, type SettingsPageName } from '../../state/screens/settings-pages.ts'
import { useUser } from '../../state/session.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { ErrorScreen } from '../../ui/error-screen.tsx'
import { QueryBoundary } from '../../api/query-boundary.tsx'
import { ErrorActions } from '../error-actions.tsx'
import { LoadingIndicator } from '../loading-indicator.tsx'
import styles from './settings-screen.module.css'

/** Administrators open this page when something does not work, so it is loaded then. */
const DoctorPage = lazyPart(
  async () => (await import('../../features/settings/doctor/doctor-page.tsx')).DoctorPage,
  LoadingIndicator,
)

/** The components of the pages. Each gets the part of the address after the name of the page, such as `new`. */
const pageComponents: Readonly<Record<SettingsPageName, FunctionComponent<{ readonly rest: string }>>> = {
  profile: ProfilePage,
  shares: SharesPage,
  server: OverviewPage,
  global: GlobalPage,
  users: UsersPage,
  audit: AuditPage,
  doctor: DoctorPage,
  takeover: TakeoverPage,
}

/**
 * Renders the settings: the tabs that the user may open, and the page of the address. A page that fails is replaced by
 * the error screen of its status, and the tabs stay.
 */
export function SettingsScreen() {
  const { rawPath } = useLocation()
  const [, , name = '', ...below] = rawPath.split('/')
  const rest = below.join('/')
  const page = settingsPages.find(
    (one) => one === name && (one === 'users' ? /^(new|[1-9][0-9]{0,14})?$/ : /^$/).test(rest),
  )
  const Page = page && pageComponents[page]
  usePageTitle(page)
  return (
    <div className={styles.settings}>
      <SettingsNavigation current={page} />
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <ErrorBoundary
            resetKey={rawPath}
            renderFallback={(thrown, retry) => (
              <PageFailure
                thrown={thrown}
                onRetry={() => {
                  reset()
                  retry()
                }}
              />
            )}
          >
            <QueryBoundary key={name} fallback={<LoadingIndicator />}>
              {Page === undefined ? (
                <PageFailure thrown={new CallError(404)} />
              ) : (
                <Page key={rest} rest={rest} />
              )}
            </QueryBoundary>
          </ErrorBoundary>
        )}
      </QueryErrorResetBoundary>
    </div>
  )
}

function SettingsNavigation({ current }: { readonly current: SettingsPageName | undefined }) {
  const user = useUser()
  const bar = useRef<HTMLElement>(null)
  const open = current ?? ''
  const hasReport = useHasReport()
  // The report of a takeover is offered where there is one, and by its address.
  const isOffered = (name: SettingsPageName): boolean =>
    user !== null && isOfferedTo(name, user) && (name !== 'takeover' || hasReport || name === open)
  // On phones the tabs are wider than the screen.
  useEffect(() => {
    const link = bar.current?.querySelector(`a[href$="/settings/${open}"]`)
    link?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [open])
  return (
    <nav ref={bar} aria-label={t('title.settings')} className={styles.navigation}>
      <ul className={styles.tabs}>
        {settingsPages.filter(isOffered).map((name) => (
          <li key={name}>
            <Link
              to={`/settings/${name}`}
              className={styles.tab}
              aria-current={name === current ? 'page' : undefined}
            >
              {t(`settings.tab.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Returns true when there is a report of a takeover. Only administrators load the report. */
function useHasReport(): boolean {
  const isAdmin = useUser()?.perm.admin ?? false
  const { data } = useQuery({ ...takeoverQuery, enabled: isAdmin })
  return data !== undefined && data.takeover !== null
}

/** Renders the error screen. When the server can be reached again, the page is requested again. */
function PageFailure({ thrown, onRetry }: { readonly thrown: unknown; readonly onRetry?: () => void }) {
  const status = statusOf(thrown)
  useWhenReachable(status === 0, () => onRetry?.())
  return (
    <ErrorScreen
      status={status}
      requestId={(thrown instanceof CallError ? thrown.requestId : null) ?? undefined}
      onRetry={onRetry}
    >
      <ErrorActions />
    </ErrorScreen>
  )
}

/**
 * Sets the title of the browser's tab to the name of the page (specification 2). Every change of the address
 * sets the title of the screen first.
 */
function usePageTitle(page: SettingsPageName | undefined): void {
  useEffect(() => {
    const show = (): void => {
      if (page !== undefined && location.get().screen === 'settings')
        setTitle({ text: t(`settings.tab.${page}`) })
    }
    show()
    return location.subscribe(show)
  }, [page])
}
