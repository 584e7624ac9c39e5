import { useEffect } from 'react'
import { statusOf } from '../../api/call.ts'
import { useWhenReachable } from '../../api/use-when-reachable.ts'
import { t } from '../../i18n/translate.ts'
import { Link } from '../../router/link.tsx'
import { ErrorScreen } from '../../ui/error-screen.tsx'
import { refusalText } from './refusal-text.ts'
import { isShareRoot, shareRootOf, type SharePath, shareUrl } from './share-address.ts'

type ShareFailureProps = {
  /** Null for an address that is not a valid path. */
  readonly path: SharePath | null
  readonly thrown: unknown
  readonly retry: () => void
}

/**
 * Tells a guest why nothing is shown. Links that expired, were deleted or never existed have the same sentences. When the
 * server can be reached again, the entry is requested again.
 */
export function ShareFailure({ path, thrown, retry }: ShareFailureProps) {
  const status = path === null ? 404 : statusOf(thrown)
  const isRefused = status === 404 || status === 403
  const isLinkGone = status === 404 && (path === null || isShareRoot(path))
  useFocusOnHeading()
  useWhenReachable(status === 0, retry)
  return (
    <ErrorScreen
      status={status}
      heading={isLinkGone ? t('guest.gone') : undefined}
      note={noteOf(status, thrown)}
      onRetry={isRefused ? undefined : retry}
    >
      {isRefused && path !== null && !isShareRoot(path) && (
        <Link to={shareUrl(shareRootOf(path), true)}>{t('guest.toRoot')}</Link>
      )}
    </ErrorScreen>
  )
}

/** Moves the focus, which was lost with the link that was opened, to the heading of the failure. */
function useFocusOnHeading(): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('#content h1')?.focus()
  }, [])
}

function noteOf(status: number, thrown: unknown): string | undefined {
  if (status === 403) return t('guest.forbidden.next')
  return status === 429 ? refusalText(thrown) : undefined
}
