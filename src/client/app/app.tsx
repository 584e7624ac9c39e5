import { statusOf } from '../api/call.ts'
import { useWhenReachable } from '../api/use-when-reachable.ts'
import { useLocale } from '../i18n/locale.ts'
import { t } from '../i18n/translate.ts'
import { useLocation } from '../router/use-location.ts'
import type { Location } from '../router/router.ts'
import { session, useUser } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { ErrorScreen, reload } from '../ui/error-screen.tsx'
import { LiveRegion } from './live-region.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Frame, framedScreens, LoginScreen } from './screens.tsx'
import { ErrorActions } from './error-actions.tsx'

/**
 * Renders the whole page. The page is mounted again when the user changes, and also when the language changes, so that
 * every text is translated again.
 */
export function App({ onRetryStart }: { readonly onRetryStart: () => void }) {
  const language = useLocale()
  const now = useStore(session)
  const userId = useUser()?.id ?? 'guest'
  const place = useLocation()
  return (
    <>
      <LiveRegion />
      {now.kind === 'starting' ? (
        <WholePageFailure status={0} onRetry={onRetryStart} />
      ) : (
        <ErrorBoundary
          key={`${language} ${userId}`}
          resetKey={place.screen}
          renderFallback={(thrown, retry) => {
            const status = statusOf(thrown)
            return <WholePageFailure status={status} onRetry={status === 0 ? reload : retry} />
          }}
        >
          <Screen place={place} />
        </ErrorBoundary>
      )}
    </>
  )
}

function Screen({ place }: { readonly place: Location }) {
  if (place.screen === 'login') return <LoginScreen />
  const Content = framedScreens[place.screen]
  return (
    <Frame>
      <ErrorBoundary
        resetKey={place.key + place.rawPath}
        renderFallback={(thrown, retry) => <ScreenFailure thrown={thrown} retry={retry} />}
      >
        {Content === undefined ? (
          <ScreenFailure thrown={null} status={statusOfScreen(place.screen)} />
        ) : (
          <Content />
        )}
      </ErrorBoundary>
    </Frame>
  )
}

/**
 * Returns the status that the error screen shows for an address: 403, 404 or 500 for the addresses `/403`, `/404` and
 * `/500`, and 404 for screens that this version does not have.
 */
const statusOfScreen = (screen: Location['screen']): number =>
  Number.isNaN(Number(screen)) ? 404 : Number(screen)

type ScreenFailureProps = { readonly thrown: unknown; readonly status?: number; readonly retry?: () => void }

function ScreenFailure({ thrown, status = statusOf(thrown), retry }: ScreenFailureProps) {
  // As for the error screen, which is seldom rendered.
  'use no memo'
  return (
    <ErrorScreen status={status} onRetry={status === 0 ? reload : retry}>
      <ErrorActions />
    </ErrorScreen>
  )
}

/**
 * Replaces the whole page when the code of the app shell (header and sidebar) failed to load, and when the server could
 * not be reached while the client started. In the second case the client does not know whether a user is signed in. When
 * the server can be reached again, the page recovers by itself.
 */
function WholePageFailure({ status, onRetry }: { readonly status: number; readonly onRetry: () => void }) {
  'use no memo'
  useWhenReachable(status === 0, onRetry)
  return (
    <main>
      <ErrorScreen
        status={status}
        note={status === 0 ? t('errors.connection.start') : undefined}
        onRetry={onRetry}
      />
    </main>
  )
}
