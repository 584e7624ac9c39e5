import { Suspense } from 'react'
import { statusOf } from '../api/call.ts'
import { t, useLocale } from '../i18n/translate.ts'
import { useLocation } from '../router/use-location.ts'
import type { Location } from '../router/router.ts'
import { session } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { Button } from '../ui/button.tsx'
import { ErrorScreen } from '../ui/error-screen.tsx'
import { LiveRegion } from './live-region.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { FilesScreen, Frame, LoginScreen } from './screens.tsx'
import { WaysOut } from './ways-out.tsx'
import { Waiting } from './waiting.tsx'

/** The whole page. It is mounted anew when the language changes, so that every text is asked for again. */
export function App({ onRetryStart }: { readonly onRetryStart: () => void }) {
  const language = useLocale()
  const now = useStore(session)
  const place = useLocation()
  return (
    <>
      <LiveRegion />
      {now.kind === 'starting' ? (
        <Unreachable onRetry={onRetryStart} />
      ) : (
        <ErrorBoundary
          key={language}
          resetKey={place.screen}
          renderFallback={(thrown, retry) => <Broken status={statusOf(thrown)} onRetry={retry} />}
        >
          <Suspense fallback={<Waiting />}>
            <Screen place={place} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}

function Screen({ place }: { readonly place: Location }) {
  if (place.screen === 'login') return <LoginScreen />
  return (
    <Frame>
      <ErrorBoundary
        resetKey={place.key + place.rawPath}
        renderFallback={(thrown, retry) => <Failed thrown={thrown} retry={retry} />}
      >
        <Suspense fallback={<Waiting />}>
          {place.screen === 'files' ? (
            <FilesScreen />
          ) : (
            <Failed thrown={null} status={statusOfScreen(place.screen)} />
          )}
        </Suspense>
      </ErrorBoundary>
    </Frame>
  )
}

/** `/403`, `/404` and `/500` show their own failure; screens that this version lacks are not found. */
const statusOfScreen = (screen: Location['screen']): number =>
  Number.isNaN(Number(screen)) ? 404 : Number(screen)

type FailedProps = { readonly thrown: unknown; readonly status?: number; readonly retry?: () => void }

function Failed({ thrown, status = statusOf(thrown), retry }: FailedProps) {
  return (
    <ErrorScreen status={status}>
      <WaysOut retry={status === 0 ? reload : retry} />
    </ErrorScreen>
  )
}

/** Code that did not come is asked for again by nothing less than a new page. */
const reload = (): void => location.reload()

/** Not even the frame could be shown: its code did not come. */
const Broken = ({ status, onRetry }: { readonly status: number; readonly onRetry: () => void }) => (
  <main>
    <ErrorScreen status={status}>
      <Button kind="primary" icon="refresh" onClick={status === 0 ? reload : onRetry}>
        {t('buttons.retry')}
      </Button>
    </ErrorScreen>
  </main>
)

/** The server did not answer when the page opened: whether anybody is signed in is not known. */
const Unreachable = ({ onRetry }: { readonly onRetry: () => void }) => (
  <main>
    <ErrorScreen status={0}>
      <Button kind="primary" icon="refresh" onClick={onRetry}>
        {t('buttons.retry')}
      </Button>
    </ErrorScreen>
  </main>
)
