import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { statusOf } from '../api/call.ts'
import { config } from '../api/config.ts'
import { SharePage } from '../features/share-page/share-page.tsx'
import { startLanguage } from '../i18n/languages.ts'
import { startRouter } from '../router/router.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ErrorScreen, reload } from '../ui/error-screen.tsx'
import { LiveRegion } from './live-region.tsx'

/**
 * Starts the page of a share inside an element. The saved session of a user is neither read nor renewed, so that the page
 * is the same for everybody who has the link.
 */
export async function startShare(element: HTMLElement): Promise<void> {
  await startLanguage('', config().Locale)
  history.scrollRestoration = 'manual'
  startRouter({ base: config().BaseURL, guardOf: () => null })
  createRoot(element).render(
    <StrictMode>
      <LiveRegion />
      <ErrorBoundary
        resetKey=""
        renderFallback={(thrown) => <ErrorScreen status={statusOf(thrown)} onRetry={reload} />}
      >
        <SharePage />
      </ErrorBoundary>
    </StrictMode>,
  )
}
