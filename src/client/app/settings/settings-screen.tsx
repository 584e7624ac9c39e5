import '../../i18n/later-texts.ts'
import '../../i18n/settings-texts.ts'
import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useQuery } from '../../api/use-query.ts'
import { CallError, statusOf } from '../../api/call.ts'
import { takeoverQuery } from '../../api/takeover-query.ts'
import { useWhenReachable } from '../../api/use-when-reachable.ts'
import { t } from '../../i18n/translate.ts'
import { Link } from '../../router/link.tsx'
import { location } from '../../router/router.ts'
import { useLocation } from '../../router/use-location.ts'
import { setTitle } from '../../state/page-title.ts'
import { isPageOffered } from '../../state/screens/is-page-offered.ts'
import { useUser } from '../../state/session.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { ErrorScreen } from '../../ui/error-screen.tsx'
import { QueryBoundary } from '../../api/query-boundary.tsx'
import { ErrorActions } from '../error-actions.tsx'
import { LoadingIndicator } from '../loading-indicator.tsx'
import styles from './settings-screen.module.css'
import { settingsTabs, type SettingsTab } from './settings-tabs.ts'

/**
 * Renders the settings: the tabs that the user may open, and the page of the address. A page that fails is replaced by
 * the error screen of its status, and the tabs stay.
 */
export function SettingsScreen() {
  const { rawPath } = useLocation()
  const [, , name = '', ...below] = rawPath.split('/')
  const rest = below.join('/')
  const tab = settingsTabs.find((one) => one.name === name && (one.rest ?? /^$/).test(rest))
  useTabTitle(tab)
  return (
    <div className={styles.settings}>
      <SettingsNavigation current={tab} />
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
              {tab === undefined ? (
                <PageFailure thrown={new CallError(404)} />
              ) : (
                <tab.Page key={rest} rest={rest} />
              )}
            </QueryBoundary>
          </ErrorBoundary>
        )}
      </QueryErrorResetBoundary>
    </div>
  )
}

function SettingsNavigation({ current }: { readonly current: SettingsTab | undefined }) {
  const user = useUser()
  const bar = useRef<HTMLElement>(null)
  const open = current?.name ?? ''
  const hasReport = useHasReport()
  const isOffered = ({ isOnlyWithReport, name }: SettingsTab): boolean =>
    user !== null && isPageOffered(name, user) && (!isOnlyWithReport || hasReport || name === open)
  // On phones the tabs are wider than the screen.
  useEffect(() => {
    const link = bar.current?.querySelector(`a[href$="/settings/${open}"]`)
    link?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [open])
  return (
    <nav ref={bar} aria-label={t('title.settings')} className={styles.navigation}>
      <ul className={styles.tabs}>
        {settingsTabs.filter(isOffered).map(({ name }) => (
          <li key={name}>
            <Link
              to={`/settings/${name}`}
              className={styles.tab}
              aria-current={name === current?.name ? 'page' : undefined}
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
    >
      <ErrorActions retry={onRetry} />
    </ErrorScreen>
  )
}

/**
 * Sets the title of the browser's tab to the name of the settings' tab (specification 2). Every change of the address
 * sets the title of the screen first.
 */
function useTabTitle(tab: SettingsTab | undefined): void {
  useEffect(() => {
    const show = (): void => {
      if (tab !== undefined && location.get().screen === 'settings')
        setTitle({ text: t(`settings.tab.${tab.name}`) })
    }
    show()
    return location.subscribe(show)
  }, [tab])
}
