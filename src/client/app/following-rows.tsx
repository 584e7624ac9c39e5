import { useEffect } from 'react'
import { statusOf } from '../api/call.ts'
import { config } from '../api/config.ts'
import { useLocation } from '../router/use-location.ts'
import { closeContextMenu } from '../state/context-menu.ts'
import { lazyPart } from '../state/parts/lazy-part.ts'
import { closePrompt, prompt } from '../state/prompt.ts'
import { session } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { reload } from '../ui/error-screen.tsx'
import { useFileDrag } from '../ui/use-file-drag.ts'
import { PartNotice } from './part-notice.tsx'
import { hasRows, useIsAfterRows } from './use-is-after-rows.ts'

const AfterRows = lazyPart(async () => (await import('./after-rows.tsx')).AfterRows, FileDragGuard)

/**
 * Renders what follows the first rows. Code that could not be loaded is loaded again for another address, for a session that
 * has ended, and for a prompt that is opened.
 */
export function FollowingRows() {
  const { key, rawPath } = useLocation()
  const hasEnded = useStore(session).kind === 'ended'
  const { DisableExternal, ReportIssueURL } = config()
  if (!useIsAfterRows()) return <FileDragGuard />
  return (
    <ErrorBoundary
      resetKey={`${key} ${rawPath} ${hasEnded}`}
      renderFallback={(thrown, retry) => <MissingCode thrown={thrown} retry={retry} />}
    >
      <AfterRows reportAddress={DisableExternal || ReportIssueURL === '' ? null : ReportIssueURL} />
    </ErrorBoundary>
  )
}

const refusedDrag = { onOver: () => 'none' as const, onEnd: () => undefined, onDrop: () => undefined }

/** Keeps the browser from replacing the page by a dropped file while the code of the uploads is missing. */
function FileDragGuard() {
  useFileDrag(refusedDrag)
  return null
}

/** Says that the code could not be loaded, unless the rows need it too, whose screen says so itself. */
function MissingCode({ thrown, retry }: { readonly thrown: unknown; readonly retry: () => void }) {
  'use no memo'
  const status = statusOf(thrown)
  const isSaid = hasRows(useLocation())
  useEffect(() => {
    // A prompt that cannot be shown would keep the keys.
    closePrompt()
    closeContextMenu()
    return prompt.subscribe(() => prompt.get().kind !== 'none' && retry())
  }, [retry])
  return (
    <>
      <FileDragGuard />
      {!isSaid && <PartNotice status={status} onRetry={status === 0 ? reload : retry} />}
    </>
  )
}
