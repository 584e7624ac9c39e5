import { useEffect } from 'react'
import { prompt } from '../state/prompt.ts'
import { session, useUser } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart } from '../state/parts/lazy-part.ts'

const { Part: Dialogs, fetch: fetchDialogs } = lazyPart(async () => (await import('./dialogs.tsx')).Dialogs)
const { Part: Uploads } = lazyPart(async () => (await import('../features/uploads/uploads.tsx')).Uploads)
const { Part: Toasts } = lazyPart(async () => (await import('./toasts.tsx')).Toasts)
const { Part: Transfers } = lazyPart(async () => (await import('./transfers.tsx')).Transfers)
const { Part: PageKeys } = lazyPart(async () => (await import('./page-keys.tsx')).PageKeys)
const { Part: SessionEndedDialog, fetch: fetchSessionEndedDialog } = lazyPart(
  async () => (await import('../features/login/session-ended-dialog.tsx')).SessionEndedDialog,
)

/**
 * The delay between the first rendering of the frame and the loading of the dialogs' code. After this delay the first
 * rows are usually on screen. A dialog that opens earlier loads its code immediately.
 */
const idleMs = 1500

/**
 * Renders what the first rows do not need: the keys of every screen, and the layers above the screens. These are the
 * uploads, the open prompt, the notices, and the login dialog after the session has ended. `reportAddress` is the page
 * on which users report a failure, or null when there is none.
 */
export function Overlays({ reportAddress }: { readonly reportAddress: string | null }) {
  const { kind } = useStore(prompt)
  const user = useUser()
  const hasEnded = useStore(session).kind === 'ended'
  useIdleLoading()
  return (
    <>
      <ErrorBoundary resetKey={kind} renderFallback={() => null}>
        <PageKeys />
        {user !== null && <Uploads />}
        {user !== null && <Transfers />}
        {kind === 'none' ? null : <Dialogs />}
      </ErrorBoundary>
      <ErrorBoundary resetKey={reportAddress ?? ''} renderFallback={() => null}>
        <Toasts reportAddress={reportAddress} />
      </ErrorBoundary>
      <ErrorBoundary resetKey={String(hasEnded)} renderFallback={() => null}>
        {hasEnded && <SessionEndedDialog username={user?.username ?? ''} />}
      </ErrorBoundary>
    </>
  )
}

function useIdleLoading(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      void fetchDialogs()
      void fetchSessionEndedDialog()
    }, idleMs)
    return () => clearTimeout(timer)
  }, [])
}
