import type { ReactNode } from 'react'
import { statusOf } from '../../api/call.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { errorHeading, RetryButton } from '../../ui/error-screen.tsx'
import { ViewerMessage } from '../viewers/frame/viewer-message.tsx'

/**
 * Renders a message in the place of a part whose code could not be loaded. The editor around the part stays with its unsaved text,
 * which it would give up with its draft otherwise.
 */
export const PartBoundary = ({ children }: { readonly children: ReactNode }) => (
  <ErrorBoundary
    resetKey=""
    renderFallback={(thrown, retry) => (
      <ViewerMessage isAlert>
        <p>{errorHeading(statusOf(thrown))}</p>
        <RetryButton status={statusOf(thrown)} onRetry={retry} />
      </ViewerMessage>
    )}
  >
    {children}
  </ErrorBoundary>
)
